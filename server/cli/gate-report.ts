/** The gate's answer for people and for CI: plain text, Markdown and JUnit. Pure. */
import type { GateAnswer } from "@/server/queries/gate";
import { rateText } from "./numbers";

const WORD: Record<GateAnswer["verdict"], string> = { pass: "PASS", fail: "FAIL", inconclusive: "INCONCLUSIVE" };

export function gateText(answer: GateAnswer): string {
  return [`${WORD[answer.verdict]}  ${answer.run.name}: ${answer.sentence}`, ...remarks(answer)].join("\n");
}

export function gateMarkdown(answer: GateAnswer): string {
  const rows = [
    ["run", `\`${answer.run.id}\`${answer.ended ? "" : " (still going)"}`],
    ["lost to infrastructure", rateText(answer.rate)],
    ["allowed", percent(answer.max)],
    ["pass@1, as reported", answer.passAt1 === null ? "–" : percent(answer.passAt1)],
    ...(answer.ended ? [] : [["at least, whenever one looks", percent(answer.anytime.low)]]),
    ...(answer.planned === null ? [] : [["planned", `${answer.planned}${missingText(answer)}`]]),
    ...(answer.comparison ? [["baseline", `\`${answer.comparison.baseline}\``]] : []),
  ];
  const body = rows.map(([name, value]) => `| ${cell(name)} | ${cell(value)} |`);
  const lines = [
    `### Coalmine: ${WORD[answer.verdict].toLowerCase()}`,
    "",
    answer.sentence,
    "",
    "| | |",
    "|---|---|",
    ...body,
  ];
  const said = remarks(answer);
  return `${[...lines, ...(said.length > 0 ? ["", ...said.map((one) => `- ${one}`)] : [])].join("\n")}\n`;
}

/** One test case for the rate, one for the run as a measurement, one against the baseline. */
export function gateJunit(answer: GateAnswer): string {
  const cases = [
    testCase("infra rate", stateOf(answer), answer.sentence),
    testCase(
      "valid measurement",
      answer.valid.ok ? "pass" : "fail",
      answer.valid.reason ?? "The run is a valid measurement.",
    ),
  ];
  const { comparison } = answer;
  if (comparison) {
    const worse = comparison.looked && comparison.verdict === "worse";
    cases.push(
      testCase(
        `against ${comparison.baseline}`,
        worse ? "fail" : comparison.looked ? "pass" : "skip",
        comparison.sentence,
      ),
    );
  }
  const count = (state: string) => cases.filter((one) => one.state === state).length;
  const head = `<testsuite name="coalmine gate: ${xml(answer.run.id)}" tests="${cases.length}" failures="${count("fail")}" errors="0" skipped="${count("skip")}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases.map((one) => one.text), "</testsuite>", ""].join(
    "\n",
  );
}

type State = "pass" | "fail" | "skip";

/** As the exit code: inconclusive is skipped, or failed when strict. */
function stateOf({ exitCode }: GateAnswer): State {
  return exitCode === 0 ? "pass" : exitCode === 1 ? "fail" : "skip";
}

function testCase(name: string, state: State, said: string): { state: State; text: string } {
  const inner = {
    pass: `<system-out>${xml(said)}</system-out>`,
    fail: `<failure message="${xml(said)}"/>`,
    skip: `<skipped message="${xml(said)}"/>`,
  }[state];
  return { state, text: `  <testcase classname="coalmine" name="${xml(name)}">${inner}</testcase>` };
}

function remarks(answer: GateAnswer): string[] {
  const { comparison, valid, run, passedOver } = answer;
  return [
    passedOver === null ? null : `The newest run with rollouts; ${passedOver} is newer and has none.`,
    run.origin === "demo" ? "Made-up demo data." : null,
    valid.ok ? null : valid.reason,
    answer.ended && answer.missing
      ? `${answer.missing} of ${answer.planned} planned rollouts left no record and are in no rate.`
      : null,
    comparison && !comparison.looked
      ? `The comparison with ${comparison.baseline} waits for the end of the run.`
      : null,
    answer.method === "wilson" || answer.method === null
      ? null
      : `Attempts of one task fail alike, so the interval is from the ${answer.method}.`,
  ].filter((one) => one !== null);
}

function missingText({ missing, ended }: GateAnswer): string {
  return ended && missing ? `, ${missing} left no record` : "";
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`;
}

function cell(text = ""): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function xml(text: string): string {
  const written: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
  return Array.from(text)
    .filter((sign) => sign >= " " || sign === "\t" || sign === "\n")
    .map((sign) => written[sign] ?? sign)
    .join("");
}
