/** Tells the exec daemon's routine lines from their bytes, where they stand escaped once inside another JSON line. */

const HEAD = bytesOf('{\\"level\\":\\"info\\",\\"ts\\":\\"');
const MESSAGE = bytesOf('\\",\\"msg\\":\\"');
const REQUESTED = bytesOf("Requested: ");
const RECEIVED = bytesOf("received command: ");
const EVENTS = ["StreamEvent.On", "sse: On"].map(bytesOf);
const EXECUTE = bytesOf("Execute");
const ERROR = bytesOf("Error");
const INIT = bytesOf("Init");
const WRITE = bytesOf(" write ");
const END = bytesOf('\\"}');
const LINE_END = bytesOf('\\"}\\n');
const BACKSLASH = 92;
const QUOTE = 34;

/** As `isRoutineMessage` in `execd-lines.ts` tells them. */
export function isRoutineEscaped(bytes: Uint8Array, from: number, to: number): boolean {
  if (!isAt(bytes, from, HEAD) || !(isAt(bytes, to - END.length, END) || isAt(bytes, to - LINE_END.length, LINE_END)))
    return false;
  let at = from + HEAD.length;
  while (at < to && bytes[at] !== BACKSLASH && bytes[at] !== QUOTE) at++;
  if (!isAt(bytes, at, MESSAGE)) return false;
  const message = at + MESSAGE.length;
  if (message >= to) return false;
  return isAt(bytes, message, REQUESTED) || isAt(bytes, message, RECEIVED) || isProgress(bytes, message);
}

/** `On…` events of a command's progress: anything but its error. */
function isProgress(bytes: Uint8Array, from: number): boolean {
  const event = EVENTS.find((start) => isAt(bytes, from, start));
  if (event === undefined) return false;
  let at = from + event.length;
  if (isAt(bytes, at, EXECUTE)) {
    at += EXECUTE.length;
    if (isAt(bytes, at, ERROR)) return false;
  } else if (isAt(bytes, at, INIT)) at += INIT.length;
  else return false;
  while (isWord(bytes[at] as number)) at++;
  return isAt(bytes, at, WRITE);
}

function isWord(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 57) || byte === 95;
}

function isAt(bytes: Uint8Array, from: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[from + i] !== expected[i]) return false;
  return true;
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
