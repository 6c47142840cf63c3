import type { ReactNode } from "react";

/** Names and values side by side; what is null or undefined is left out. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  return (
    <dl className="grid grid-cols-[minmax(6.5rem,auto)_1fr] gap-x-4 gap-y-0.5">
      {known.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-mut">{name}</dt>
          <dd className="min-w-0 break-words [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A titled part of a panel. */
export function PanelPart({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-5">
      <h3 className="mb-1.5 flex items-baseline gap-2 font-semibold">
        {title} {note && <span className="text-small font-normal text-mut">{note}</span>}
      </h3>
      {children}
    </section>
  );
}
