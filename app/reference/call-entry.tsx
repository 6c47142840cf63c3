import { Command } from "@/app/_ui/command";
import { Tag } from "@/app/_ui/tag";
import { type Answered, type ApiCall, curlOf, type Parameter } from "./read-openapi";

interface CallEntryProps {
  call: ApiCall;
  address: string;
  open: boolean;
  onOpen(open: boolean): void;
}

const ROLE: Record<string, string> = { open: "no token", viewer: "viewer", ingest: "ingest", operator: "operator" };

/** One call: a line, and under it what it takes and answers. */
export function CallEntry({ call, address, open, onOpen }: CallEntryProps) {
  return (
    <li className="border-b" id={`call-${call.id}`}>
      <details open={open} onToggle={(event) => event.currentTarget.open !== open && onOpen(event.currentTarget.open)}>
        <summary
          data-row=""
          className="grid grid-cols-[56px_minmax(0,1fr)] items-baseline gap-x-3 py-1.5 hover:bg-sub md:grid-cols-[56px_minmax(0,5fr)_minmax(0,7fr)_64px]"
        >
          <span className="mono font-semibold">{call.method}</span>
          <span className="mono [overflow-wrap:anywhere]">{call.path}</span>
          <span className="text-mut max-md:col-start-2">
            <Said text={call.summary} />
          </span>
          <span className="text-right max-md:hidden">
            <Tag tone={call.role === "operator" ? "warn" : "plain"}>{ROLE[call.role] ?? call.role}</Tag>
          </span>
        </summary>
        <div className="flex flex-col gap-3 pt-1 pb-4 md:pl-[68px]">
          <Command what="call" text={curlOf(call, address)} />
          {call.parameters.length > 0 && <Parameters parameters={call.parameters} />}
          {call.body && <Shape title="Body" note={call.body.type} answered={call.body} />}
          <div>
            <p className="font-medium">Answer</p>
            <p className="text-mut">{call.answer}</p>
            {call.answers.map((answered) => (
              <Shape key={answered.type} note={answered.type} answered={answered} />
            ))}
            <p className="mt-1 text-small text-mut">
              Needs {call.role === "open" ? "no token" : `a token of the role ${call.role} where the server has tokens`}
              ; refusals are{" "}
              <a href="#errors" className="rows-link">
                problem documents
              </a>
              .
            </p>
          </div>
        </div>
      </details>
    </li>
  );
}

/** Words between backticks are names. */
function Said({ text }: { text: string }) {
  return text.split("`").map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="mono">
        {part}
      </code>
    ),
  );
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <div className="scroll-x">
      <table className="grid-table">
        <caption className="sr-only">Parameters</caption>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">In</th>
            <th scope="col">Value</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(({ name, in: place, required, shape, fallback, description }) => (
            <tr key={name}>
              <th scope="row" className="mono whitespace-nowrap">
                {name}
                {required && <span className="text-bad"> required</span>}
              </th>
              <td className="text-mut">{place}</td>
              <td className="mono [overflow-wrap:anywhere]">
                {shape}
                {fallback !== null && <span className="text-mut"> = {fallback}</span>}
              </td>
              <td>
                <Said text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Shape({ title, note, answered }: { title?: string; note: string; answered: Answered }) {
  return (
    <div>
      {title && <p className="font-medium">{title}</p>}
      <p className="text-small text-mut">
        <span className="mono">{note}</span>
        {answered.names.map((name) => (
          <a key={name} href={`#shape-${name}`} className="rows-link ml-3">
            {name}
          </a>
        ))}
      </p>
      <pre className="mono rounded-md bg-sub px-3 py-2 leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {answered.shape}
      </pre>
    </div>
  );
}
