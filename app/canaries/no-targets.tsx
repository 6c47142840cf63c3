import { Command } from "@/app/_ui/command";
import { Empty } from "@/app/_ui/states";

const EXAMPLE = `targets:
  - name: prod
    baseUrl: http://opensandbox-server.opensandbox-system.svc.cluster.local
    apiKeyEnv: OPENSANDBOX_API_KEY   # the variable's name; the key stays in the environment
    bounds: { maxConcurrent: 64, maxCreatesPerMinute: 300, maxDurationS: 900 }
    schedules:
      - { plan: smoke, every: 5m }
`;

export function NoTargets() {
  return (
    <Empty title="Name a sandbox server to try.">
      <p>
        A canary sends real create and exec cycles to a sandbox server and says what fails. Write its address into a
        file, name the file in <code className="mono">COALMINE_CONFIG</code>, and start the server again:
      </p>
      <div className="mt-3 text-ink">
        <Command text={EXAMPLE} what="the configuration" />
      </div>
    </Empty>
  );
}
