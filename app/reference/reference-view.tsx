"use client";

import Link from "next/link";
import { parseAsString, useQueryStates } from "nuqs";
import { CopyLink } from "@/app/_ui/copy-button";
import { count, plural } from "@/app/_ui/format";
import { PageFrame } from "@/app/_ui/page-frame";
import { SearchField } from "@/app/_ui/search-field";
import { Section } from "@/app/_ui/section";
import { Empty } from "@/app/_ui/states";
import { ERROR_STATUS } from "@/server/domain/errors";
import { CallEntry } from "./call-entry";
import { type ApiReference, matchingCalls } from "./read-openapi";

const PARSERS = { q: parseAsString, call: parseAsString };

/** Every call with what it takes, answers and refuses. */
export function ReferenceView({ reference, address }: { reference: ApiReference; address: string }) {
  const [{ q, call }, setState] = useQueryStates(PARSERS);
  const shown = matchingCalls(reference.calls, q);
  return (
    <PageFrame trail={[{ name: "API" }]} actions={<CopyLink />}>
      <h1 className="max-w-[860px] text-title font-semibold tracking-[-0.015em]">
        {plural(reference.calls.length, "call")} at <code className="mono text-[18px]">{address}</code>
      </h1>
      <p className="mt-1 mb-5 max-w-[860px] text-mut">
        JSON in and out, times in ISO 8601 UTC, rates as fractions with k, n and their 95 % interval. Every list pages
        by <code className="mono">limit</code> and <code className="mono">cursor</code> and answers CSV to{" "}
        <code className="mono">Accept: text/csv</code>. For machines:{" "}
        <a href="/api/v1/openapi.json" className="rows-link">
          openapi.json
        </a>
        . What the classes mean: <ClassesLink />.
      </p>
      <div className="mb-2 flex items-center gap-3">
        <SearchField label="Call or parameter holds" value={q} onChange={(text) => void setState({ q: text })} />
        <span className="text-small text-mut">
          {shown.length === reference.calls.length ? "" : `${count(shown.length)} of ${count(reference.calls.length)}`}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty title="No call holds these words." />
      ) : (
        <ul className="mb-10 border-t">
          {shown.map((one) => (
            <CallEntry
              key={one.id}
              call={one}
              address={address}
              open={one.id === call}
              onOpen={(open) => void setState({ call: open ? one.id : null })}
            />
          ))}
        </ul>
      )}
      <Errors />
      <Shapes reference={reference} />
    </PageFrame>
  );
}

function ClassesLink() {
  return (
    <Link href="/reference/classes" className="rows-link">
      classes of failure
    </Link>
  );
}

/** What each refusal means; texts for people stand in `detail`. */
const MEANING: Record<keyof typeof ERROR_STATUS, string> = {
  invalid: "A parameter or the body is wrong; the detail names it.",
  unauthorized: "No token, or none of this server's.",
  forbidden: "The token's role does not reach, or another site's page asks.",
  not_found: "There is no such call, run, rollout, node …",
  conflict: "What is there does not allow it.",
  too_large: "The body or a record is over its limit.",
  unsupported: "The encoding, type or method is not known.",
  busy: "The queue is full: again after Retry-After seconds; nothing was lost.",
  storage_full: "The disk is full; nothing was taken.",
  unavailable: "The store does not answer.",
  internal: "A fault of the server's own; its log says more.",
};

function Errors() {
  return (
    <Section title="Errors" note="application/problem+json with a stable code" id="errors">
      <table className="grid-table">
        <caption className="sr-only">Error codes with their HTTP status and meaning</caption>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col" className="num">
              Status
            </th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(ERROR_STATUS).map(([code, status]) => (
            <tr key={code}>
              <th scope="row" className="mono">
                {code}
              </th>
              <td className="num">{status}</td>
              <td>{MEANING[code as keyof typeof ERROR_STATUS]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Shapes({ reference }: { reference: ApiReference }) {
  return (
    <Section title="Shapes" note="named parts of answers">
      <ul className="border-t">
        {reference.shapes.map(({ name, description, shape }) => (
          <li key={name} id={`shape-${name}`} className="border-b py-2">
            <h3 className="font-medium">{name}</h3>
            {description && <p className="text-mut">{description}</p>}
            <pre className="mono mt-1 leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">{shape}</pre>
          </li>
        ))}
      </ul>
    </Section>
  );
}
