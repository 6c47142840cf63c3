"use client";

import { Dialog } from "./dialog";
import { KEY_HELP } from "./keys";

/** Which key does what. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {KEY_HELP.map(({ keys, does }) => (
          <div key={keys} className="contents">
            <dt className="flex gap-1">
              {keys.split(" ").map((key) => (
                <kbd key={key} className="mono rounded-sm border border-line2 px-1.5 text-small">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
