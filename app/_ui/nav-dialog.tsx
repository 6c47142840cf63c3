"use client";

import { Dialog } from "./dialog";
import { Nav } from "./nav";
import { SideFoot } from "./side-foot";

/** The navigation of a narrow screen. */
export function NavDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title="Coalmine" as="menu">
      <div className="flex h-full flex-col gap-4">
        <Nav onGo={onClose} />
        <SideFoot />
      </div>
    </Dialog>
  );
}
