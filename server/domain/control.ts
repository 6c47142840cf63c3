/** The part of the store that says how to look at the facts: settings of runs and of the installation. */
import type { RunSettings } from "./run";

/** Control: small, transactional. */
export interface Control {
  runSettings(id: string): Promise<RunSettings | null>;
  allRunSettings(): Promise<RunSettings[]>;
  putRunSettings(settings: RunSettings): Promise<void>;
  deleteRunSettings(id: string): Promise<void>;
  /** Small named values (JSON text), e.g. the installation id. */
  setting(name: string): Promise<string | null>;
  putSetting(name: string, value: string): Promise<void>;
}
