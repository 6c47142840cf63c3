import Link from "next/link";
import type { ReactNode } from "react";

interface PageFrameProps {
  /** The page, or the way to it: the last is where the reader is. */
  trail: readonly { name: string; href?: string }[];
  chips?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page's head line and its content. */
export function PageFrame({ trail, chips, actions, children }: PageFrameProps) {
  return (
    <>
      <header className="sticky top-12 z-20 border-b bg-bg px-4 md:top-0 md:px-8">
        <div className="flex min-h-[52px] max-w-[1360px] flex-wrap items-center gap-x-2.5 gap-y-1 py-2">
          <p className="flex min-w-0 items-center gap-1.5">
            {trail.map(({ name, href }, i) =>
              href === undefined ? (
                <b key={name} className="truncate font-semibold">
                  {name}
                </b>
              ) : (
                <span key={name} className="flex items-center gap-1.5 text-mut">
                  <Link href={href} className="hover:text-ink">
                    {name}
                  </Link>
                  {i < trail.length - 1 && <span aria-hidden="true">/</span>}
                </span>
              ),
            )}
          </p>
          {chips && <div className="flex min-w-0 flex-wrap gap-1.5 max-lg:hidden">{chips}</div>}
          <div className="ml-auto flex items-center gap-2">{actions}</div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="max-w-[1424px] px-4 pt-6 pb-16 outline-none md:px-8">
        {children}
      </main>
    </>
  );
}
