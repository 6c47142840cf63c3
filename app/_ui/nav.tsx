"use client";

import { clsx } from "clsx";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { isCurrent, PAGES } from "./pages";

/** The ways to the pages; the current one is marked. */
export function Nav({ onGo }: { onGo?: () => void }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-col gap-0.5">
        {PAGES.map((page) => {
          const current = isCurrent(page, pathname);
          return (
            <li key={page.href}>
              <Link
                href={page.href}
                aria-current={current ? "page" : undefined}
                onClick={onGo}
                className={clsx(
                  "group flex items-center justify-between rounded-md px-2 py-[5px]",
                  current ? "bg-bg font-medium text-ink shadow-[0_0_0_1px_var(--line)]" : "text-mut hover:text-ink",
                )}
              >
                <Name name={page.name} />
                <Keys keys={`g ${page.key}`} quiet={!current} />
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The page's name; it answers the click at once, also where the page is still on its way. */
function Name({ name }: { name: string }) {
  const { pending } = useLinkStatus();
  return <span className={clsx(pending && "font-medium text-ink")}>{name}</span>;
}

function Keys({ keys, quiet }: { keys: string; quiet: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "mono rounded-sm border border-line2 px-1 text-tiny text-mut max-md:hidden",
        quiet && "opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100",
      )}
    >
      {keys}
    </span>
  );
}
