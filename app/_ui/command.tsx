import { CopyButton } from "./copy-button";

/** A command or config to paste, exactly as shown; long lines wrap, so that nothing of it is out of sight. */
export function Command({ text, what }: { text: string; what: string }) {
  return (
    <div className="relative rounded-md border bg-sub">
      <pre className="mono py-2 pr-12 pl-3 leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</pre>
      <div className="absolute top-1 right-1 bg-sub">
        <CopyButton text={text} what={what} />
      </div>
    </div>
  );
}
