"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsString, useQueryState } from "nuqs";
import { API } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { CopyLink } from "@/app/_ui/copy-button";
import { FAMILY_NAME, FAMILY_ORDER } from "@/app/_ui/families";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { plural } from "@/app/_ui/format";
import { PageFrame } from "@/app/_ui/page-frame";
import { SearchField } from "@/app/_ui/search-field";
import { Section } from "@/app/_ui/section";
import { Empty, Shown, SkeletonRows } from "@/app/_ui/states";
import { CsvButton } from "@/app/_ui/table/csv-button";
import { Tag } from "@/app/_ui/tag";
import type { TaxonomyClass, TaxonomyRule } from "@/server/domain/product-answers";
import type { Family } from "@/server/domain/taxonomy-words";
import { classHref, matchingClasses, matchingNothings } from "./matching-classes";

const FAMILIES: readonly Family[] = [...FAMILY_ORDER, "none"];

/** What each class means, who must act, and the rules that give it. */
export function ClassesView() {
  const classes = useQuery(ask.taxonomy());
  const rules = useQuery(ask.rules());
  const [q, setQ] = useQueryState("q", parseAsString);
  return (
    <PageFrame trail={[{ name: "API", href: "/reference" }, { name: "Classes" }]} actions={<CopyLink />}>
      <h1 className="max-w-[860px] text-title font-semibold tracking-[-0.015em]">
        {classes.data
          ? `${plural(classes.data.items.length, "class", "classes")} of failure, each given by rules with a reason`
          : "Classes of failure"}
      </h1>
      <p className="mt-1 mb-5 max-w-[860px] text-mut">
        Charts colour the family; the owner is who must act. Classes outside of infrastructure are shown and counted
        apart. The first rule of the list that holds gives the class.
      </p>
      <div className="mb-4 flex items-center gap-3">
        <SearchField label="Class or reason holds" value={q} onChange={(text) => void setQ(text)} />
        <span className="ml-auto">
          <CsvButton url={`${API}/taxonomy/rules`} fileName="coalmine-rules.csv" />
        </span>
      </div>
      <Shown what="The classes" answer={classes} loading={<SkeletonRows rows={20} height={48} />}>
        {({ items }) => {
          const given = rules.data?.items ?? [];
          return <Families classes={matchingClasses(items, given, q)} nothings={matchingNothings(given, q)} />;
        }}
      </Shown>
    </PageFrame>
  );
}

type Known = ReturnType<typeof matchingClasses>;

function Families({ classes, nothings }: { classes: Known; nothings: readonly TaxonomyRule[] }) {
  if (classes.length + nothings.length === 0) return <Empty title="No class holds these words." />;
  return (
    <>
      {FAMILIES.map((family) => {
        const own = classes.filter((one) => one.known.family === family);
        return own.length === 0 ? null : (
          <Section key={family} title={FAMILY_NAME[family]} note={plural(own.length, "class", "classes")}>
            <ul className="border-t">
              {own.map(({ known, rules }) => (
                <Entry key={known.id} known={known} rules={rules} />
              ))}
            </ul>
          </Section>
        );
      })}
      {nothings.length > 0 && (
        <Section title="No failure" note={plural(nothings.length, "rule")}>
          <Rules rules={nothings} />
        </Section>
      )}
    </>
  );
}

function Entry({ known, rules }: { known: TaxonomyClass; rules: readonly TaxonomyRule[] }) {
  return (
    <li id={known.id} className="border-b py-2 target:bg-sub">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <FamilySwatch family={known.family} />
        <a href={classHref(known.id)} className="font-medium hover:text-acc">
          {known.title}
        </a>
        <span className="mono text-mut">{known.id}</span>
        <span className="ml-auto flex items-baseline gap-3 text-small text-mut">
          {!known.infra && <Tag>not counted as infrastructure</Tag>}
          <span>who must act: {known.owner}</span>
          <Link href={`/failures?class=${encodeURIComponent(known.id)}`} className="rows-link">
            its incidents
          </Link>
        </span>
      </p>
      {rules.length > 0 && <Rules rules={rules} />}
    </li>
  );
}

function Rules({ rules }: { rules: readonly TaxonomyRule[] }) {
  return (
    <ul className="mt-1 flex flex-col gap-0.5 pl-5">
      {rules.map((rule) => (
        <li key={rule.id} className="grid gap-x-3 md:grid-cols-[256px_minmax(0,1fr)]">
          <span className="mono text-mut [overflow-wrap:anywhere]">{rule.id}</span>
          <span>
            {rule.why} <span className="text-mut">({rule.confidence})</span> {rule.own && <Tag>rule of your own</Tag>}
          </span>
        </li>
      ))}
    </ul>
  );
}
