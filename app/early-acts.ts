/**
 * What a reader presses, sends or types before React has taken the page over is done once it can be, instead of being
 * lost, or of a form being sent to the page's own address with all that is in it.
 * The text of these functions is put into the page, so each may use nothing but what it is given.
 */

interface Kept {
  isDue(): boolean;
  act(): void;
}

interface Queue {
  /** Stops the event, and acts when due. `of`: what is kept for the same thing again takes its place. */
  keep(event: Event, of: object, kept: Kept): void;
  drop(of: object): void;
}

/** A field as React tracks it. */
type Field = HTMLInputElement & { _valueTracker?: { setValue(value: string): void } };

function makeQueue(): Queue {
  const RETRY_MS = 50;
  /** A page that is older is on its own: were React ever to mark otherwise what it took over, no control would stay dead. */
  const LONGEST_MS = 30_000;
  const waiting = new Map<object, Kept>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** One at a time, so that each finds what the one before it changed. */
  const doNext = (): void => {
    const next = [...waiting].find(([, { isDue }]) => isDue());
    if (next) waiting.delete(next[0]);
    next?.[1].act();
    if (waiting.size > 0) timer = setTimeout(doNext, RETRY_MS);
  };
  const keep = (event: Event, of: object, kept: Kept): void => {
    if (performance.now() > LONGEST_MS) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.set(of, kept);
    clearTimeout(timer);
    timer = setTimeout(doNext, RETRY_MS);
  };
  return { keep, drop: (of) => void waiting.delete(of) };
}

/** React stops each event on what is drawn but not yet taken over. One that nobody listens to tells, and hurries it. */
function answers(control: Element): boolean {
  let reached = false;
  const mark = (): void => {
    reached = true;
  };
  control.addEventListener("copy", mark);
  control.dispatchEvent(new Event("copy"));
  control.removeEventListener("copy", mark);
  return reached && Object.keys(control).some((key) => key.startsWith("__reactProps$"));
}

function keepControls({ keep, drop }: Queue, isTaken: typeof answers): void {
  const PRESSED = "button, [role=button], [role=switch], input[type=checkbox], input[type=radio]";
  const TYPED = "input:not([type=checkbox], [type=radio], [type=file]), textarea";
  const listen = (name: string, selector: string, again: (control: Element) => () => void): void => {
    const hear = (event: Event): void => {
      const control = event.target instanceof Element ? event.target.closest(selector) : null;
      if (control === null) return;
      if (isTaken(control)) drop(control);
      else keep(event, control, { isDue: () => isTaken(control), act: again(control) });
    };
    window.addEventListener(name, hear, { capture: true });
  };
  listen("click", PRESSED, (control) => () => (control as HTMLElement).click());
  listen("submit", "form", (form) => () => (form as HTMLFormElement).requestSubmit());
  listen("input", TYPED, (control) => {
    const field = control as Field;
    const { value } = field;
    return () => {
      field.value = value;
      // React passes on only what differs from what it last saw.
      field._valueTracker?.setValue(`${value}.`);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
  });
}

/** The keys of the whole page, which says when it listens to them. */
function keepKeys({ keep }: Queue): void {
  const isDue = (): boolean => document.documentElement.dataset.keys === "heard";
  const hear = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isWriting = target instanceof Element && target.matches("input, textarea, select");
    if (!/^[a-z/?]$/.test(key) || ctrlKey || metaKey || altKey || isWriting || isDue()) return;
    const again = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    keep(event, event, { isDue, act: () => void document.body.dispatchEvent(again) });
  };
  window.addEventListener("keydown", hear, { capture: true });
}

/** The script itself. */
export const EARLY_ACTS = `((queue) => { (${keepControls})(queue, ${answers}); (${keepKeys})(queue); })((${makeQueue})())`;
