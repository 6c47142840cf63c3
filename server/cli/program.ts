import { Command, CommanderError, Option } from "commander";
import { PLAN_NAMES } from "@/server/domain/canary";
import { Api } from "./api";
import { type CanaryOptions, canary } from "./canary";
import { type CompareOptions, compare } from "./compare";
import { demo } from "./demo";
import { type FollowOptions, follow } from "./follow";
import { type GateOptions, gate } from "./gate";
import { ingest } from "./ingest";
import { type NodesOptions, nodes } from "./nodes";
import { type ReclassifyOptions, reclassify } from "./reclassify";
import { checkRules } from "./rules";
import { run } from "./run";
import { runs } from "./runs";
import { CommandError, EXIT, type Terminal } from "./terminal";

type Action<A extends unknown[]> = (api: Api, ...given: A) => Promise<number>;
/** Makes a command's action of one that needs the server. */
type Bind = <A extends unknown[]>(action: Action<A>) => (...given: A) => Promise<void>;

function build(terminal: Terminal, act: (work: (api: Api) => Promise<number>) => Promise<void>): Command {
  const program = new Command("coalmine")
    .description("Which rollouts the sandbox infrastructure lost, why, and on which node. Speaks to a Coalmine server.")
    .option("--url <address>", "the server; default COALMINE_URL, else http://127.0.0.1:4180")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .addHelpText(
      "after",
      "\nA token is taken from COALMINE_TOKEN. Exit codes: 0 done, 1 some failed, 2 wrong usage or unreachable.",
    );
  const on: Bind =
    (action) =>
    (...given) =>
      act((api) => action(api, ...given));
  addSending(program, on, terminal);
  addReading(program, on, terminal);
  addJudging(program, on, terminal);
  addCanary(program, on, terminal);
  addDemo(program, on, terminal);
  addRules(program, on, terminal);
  addReclassify(program, on, terminal);
  return program;
}

const json = (): Option => new Option("--json", "print the server's answer as JSON");

function addSending(program: Command, on: Bind, terminal: Terminal): void {
  program
    .command("ingest")
    .description("send files, folders or standard input (-)")
    .argument("<files...>", "files or folders, or - for standard input; compressed ones are sent as they are")
    .option("--format <name>", "the format's name", "auto")
    .option("--run <name>", "the run that all of it belongs to; rollout files take their own name otherwise")
    .option("--source <name>", "what wrote it, e.g. a host or service")
    .option("--node <name>", "the machine that all of it is from")
    .option("--cluster <name>", "the cluster that its sandboxes and nodes are in")
    .option("--tz <zone>", "zone of times without one, e.g. Europe/Berlin; default UTC")
    .option("--follow", "stay, and send new lines and files as they come, until Ctrl-C")
    .option("--state <file>", "remembers what --follow has sent; default in the user's state folder")
    .addOption(json())
    .action(on((api, files: string[], options: SendOptions) => send(api, terminal, files, options)));
}

type SendOptions = FollowOptions & { follow?: boolean };

async function send(api: Api, terminal: Terminal, files: string[], options: SendOptions): Promise<number> {
  if (!options.follow) return await ingest(api, terminal, files, options);
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  try {
    return await follow(api, terminal, files, options, { signal: stop.signal });
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
  }
}

function addReading(program: Command, on: Bind, terminal: Terminal): void {
  program
    .command("runs")
    .description("list the runs")
    .addOption(json())
    .action(on((api, options: { json?: boolean }) => runs(api, terminal, options)));
  program
    .command("run")
    .description("show one run")
    .argument("<name>")
    .addOption(json())
    .action(on((api, name: string, options: { json?: boolean }) => run(api, terminal, name, options)));
  program
    .command("nodes")
    .description("list the nodes with what was lost on each")
    .option("--run <name>", "of one run only")
    .addOption(json())
    .action(on((api, options: NodesOptions) => nodes(api, terminal, options)));
}

function addJudging(program: Command, on: Bind, terminal: Terminal): void {
  program
    .command("compare")
    .description("compare two runs: what changed, how sure that is, and by which settings they differ")
    .argument("<baseline>")
    .argument("<candidate>")
    .addOption(
      new Option("--paired", "decide pass and reward on pairs of the same task and index").conflicts("unpaired"),
    )
    .addOption(new Option("--unpaired", "decide them on all rollouts"))
    .addOption(json())
    .action(
      on((api, baseline: string, candidate: string, options: CompareOptions) =>
        compare(api, terminal, baseline, candidate, options),
      ),
    );
  program
    .command("gate")
    .description("may a run go on, or pass? exit 0 pass, 1 fail, 2 inconclusive or no answer")
    .requiredOption("--max-infra-rate <share>", "largest share lost to infrastructure, e.g. 5%")
    .option("--run <name>", "the run; default the newest")
    .option("--baseline <name>", "a run that it must not be worse than")
    .option("--strict", "inconclusive counts as failed")
    .option("--markdown <file>", "write a summary for people")
    .option("--junit <file>", "write a report for CI")
    .addOption(json())
    .action(on((api, options: GateOptions) => gate(api, terminal, options)));
}

function addCanary(program: Command, on: Bind, terminal: Terminal): void {
  program
    .command("canary")
    .description("run a plan against a configured target; exit 0 passed, 1 failed, 2 cancelled or no answer")
    .argument("<plan>", `one of ${PLAN_NAMES.join(", ")}`)
    .requiredOption("--target <name>", "a target of the server's configuration")
    .option(
      "--set <name=value>",
      "an option of the plan; may be given again",
      (one: string, all: string[]) => [...all, one],
      [],
    )
    .option("--options <json>", "all options of the plan as one JSON object")
    .option("--detach", "print the run's id and do not wait for it")
    .addOption(json())
    .action(on((api, plan: string, options: CanaryOptions) => canary(api, terminal, plan, options)));
}

function addRules(program: Command, on: Bind, terminal: Terminal): void {
  program
    .command("rules")
    .description("your own rules for messages that no built-in rule explains")
    .command("check")
    .description("have the server run the examples of the rules in a file; exit 0 all hold, 1 something is wrong")
    .argument("<file>", "YAML or JSON: the configuration file, or a list of rules")
    .addOption(json())
    .action(on((api, file: string, options: { json?: boolean }) => checkRules(api, terminal, file, options)));
}

function addReclassify(program: Command, on: Bind, terminal: Terminal): void {
  program
    .command("reclassify")
    .description("what today's formats and rules would change of what is stored; changes nothing without --run")
    .option("--run", "read the archived lines again, and judge the rest anew")
    .option("--batch <id>", "of one delivery, whichever version read it")
    .addOption(new Option("--cancel", "end what is under way; what is done stands").conflicts(["run", "batch"]))
    .addOption(json())
    .action(on((api, options: ReclassifyOptions) => reclassify(api, terminal, options)));
}

function addDemo(program: Command, on: Bind, terminal: Terminal): void {
  const fleet = program.command("demo").description("the made-up demo fleet");
  for (const action of ["load", "remove"] as const) {
    fleet
      .command(action)
      .addOption(json())
      .action(on((api, options: { json?: boolean }) => demo(api, terminal, action, options)));
  }
}

/** Runs one command line (without the program's own name). Returns the exit code; never throws for what a user can do wrong. */
export async function main(args: string[], terminal: Terminal): Promise<number> {
  let exit: number = EXIT.ok;
  const program: Command = build(terminal, async (work) => {
    const api = new Api(terminal, program.opts<{ url?: string }>().url);
    try {
      exit = await work(api);
    } finally {
      await api.close();
    }
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.cannot;
    if (!(error instanceof CommandError)) throw error;
    terminal.stderr.write(`coalmine: ${error.message}\n`);
    return error.exit;
  }
}
