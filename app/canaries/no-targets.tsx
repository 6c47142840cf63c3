import { CopyButton } from "@/app/_ui/copy-button";
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
    <Empty title="No target is configured.">
      <p>
        A canary sends real create and exec cycles to a sandbox server and says what fails. Write its address into a
        file, name the file in <code className="mono">COALMINE_CONFIG</code>, and start the server again:
      </p>
      <div className="mt-3 rounded-md border bg-sub px-3 py-2">
        <pre className="mono overflow-x-auto text-ink">{EXAMPLE}</pre>
        <CopyButton text={EXAMPLE} what="the configuration" label="Copy" />
      </div>
    </Empty>
  );
}
