"use client";

import { Menu } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, Suspense, useState } from "react";
import { behind } from "./behind";
import { Bird } from "./brand";
import { Button } from "./button";
import { DemoBanner } from "./demo-note";
import { Nav } from "./nav";
import { Skeleton } from "./states";

// Their code comes behind the first paint; the foot is drawn on the server too.
const SideFoot = behind(() => import("./side-foot").then((module) => module.SideFoot));
const Shortcuts = dynamic(() => import("./shortcuts").then((module) => module.Shortcuts), { ssr: false });
const NavDialog = dynamic(() => import("./nav-dialog").then((module) => module.NavDialog), { ssr: false });

/** The frame of every page: navigation at the side, on a narrow screen behind a button. The sign-in page stands alone. */
export function Shell({ children }: { children: ReactNode }) {
  const alone = usePathname() === "/sign-in";
  if (alone) return children;
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[204px_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-raise focus:p-2"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-r bg-sub px-2.5 py-4 md:flex">
        <Brand />
        <Nav />
        <Suspense fallback={<Skeleton height={112} className="mt-auto" />}>
          <SideFoot />
        </Suspense>
      </aside>
      <NarrowBar />
      <div className="min-w-0">
        <DemoBanner />
        {children}
      </div>
      <Shortcuts />
    </div>
  );
}

function Brand() {
  return (
    <Link href="/" className="mb-3 flex items-center gap-2 px-2 text-[15px] font-semibold tracking-[-0.01em]">
      <Bird className="size-[18px] text-(--f-proxy)" /> Coalmine
    </Link>
  );
}

function NarrowBar() {
  const [open, setOpen] = useState(false);
  return (
    <nav aria-label="Menu" className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b bg-sub px-3 md:hidden">
      <Button
        look="quiet"
        size="square"
        aria-label="Open the navigation"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu aria-hidden="true" />
      </Button>
      <Link href="/" className="flex items-center gap-2 font-semibold">
        <Bird className="size-4 text-(--f-proxy)" /> Coalmine
      </Link>
      {open && <NavDialog onClose={() => setOpen(false)} />}
    </nav>
  );
}
