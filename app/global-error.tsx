"use client";

import "./globals.css";

/** The frame itself failed: nothing of it can be relied on here. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto max-w-xl px-4 py-16">
          <h1 className="mb-2 text-title font-semibold">Coalmine could not draw this page.</h1>
          <p className="mb-4 text-mut">The server's log says why. What was delivered is not touched by this.</p>
          <button type="button" onClick={reset} className="rounded-md border border-line2 px-3 py-1 font-medium">
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
