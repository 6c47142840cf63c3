import { CopyButton } from "@/app/_ui/copy-button";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import type { CompareAnswer, ConfigChange, ConfigSide } from "@/server/compare/answer";
import { effectiveText, type Mark, marksOf, requestedText } from "./config-text";

const TONE: Record<Mark, "warn" | "plain" | "bad"> = {
  confound: "warn",
  "the change": "plain",
  "silent default": "warn",
  overridden: "bad",
  "no matter": "plain",
};

const MEANS: Record<Mark, string> = {
  confound: "More than one setting differs: the change cannot be put down to one of them",
  "the change": "The only setting that differs and can matter",
  "silent default": "Nobody asked for it; a default applied",
  overridden: "Kubernetes set another value than was asked for",
  "no matter": "A name, id or place: it says where a run was, not how it worked",
};

/** Settings that differ, that rest on a silent default, or that were overridden. */
export function ConfigTable({ answer }: { answer: CompareAnswer }) {
  const { changes, confounded, differing, known } = answer.config;
  const lines = changes.map(
    (one) => `${one.key}: ${requestedText(one.key, one.baseline)} → ${requestedText(one.key, one.candidate)}`,
  );
  const unknown = (["baseline", "candidate"] as const).filter((side) => !known[side]);
  return (
    <Section
      title="Settings"
      note={confounded ? `confounded: ${differing.length} differ` : "what differs between the runs"}
      className="mb-8 min-w-0"
      actions={lines.length > 0 && <CopyButton text={lines.join("\n")} what="settings" label="Copy" />}
    >
      {unknown.length > 0 && (
        <p className="border-t py-2 text-mut">
          The config of the {unknown.join(" and of the ")} is not known. Say it:{" "}
          <code className="mono">{`PUT /api/v1/runs/${answer[unknown[0] ?? "baseline"].id}`}</code>
        </p>
      )}
      {changes.length === 0 ? (
        unknown.length === 0 && <p className="border-t py-2 text-mut">No setting differs, as far as is known.</p>
      ) : (
        <table className="grid-table">
          <caption className="sr-only">Settings that differ between the runs</caption>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Baseline</th>
              <th scope="col">Candidate</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <Row key={change.key} change={change} marks={marksOf(change, answer.config)} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Row({ change, marks }: { change: ConfigChange; marks: readonly Mark[] }) {
  return (
    <tr>
      <th scope="row">
        <span className="mono block [overflow-wrap:anywhere]">{change.key}</span>
        <span className="flex flex-wrap gap-1">
          {marks.map((mark) => (
            <Tag key={mark} tone={TONE[mark]} title={MEANS[mark]}>
              {mark}
            </Tag>
          ))}
        </span>
      </th>
      <td>
        <Side name={change.key} side={change.baseline} />
      </td>
      <td>
        <Side name={change.key} side={change.candidate} />
      </td>
    </tr>
  );
}

function Side({ name, side }: { name: string; side: ConfigSide }) {
  const effective = effectiveText(name, side);
  return (
    <>
      <span className={`mono block [overflow-wrap:anywhere] ${side.silent ? "text-mut" : ""}`}>
        {requestedText(name, side)}
      </span>
      {effective && <span className="block text-tiny text-mut">{effective}</span>}
    </>
  );
}
