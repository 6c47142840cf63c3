import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { THEME_COOKIE, themeClass, themeOf, ZONE_COOKIE, zoneOf } from "./_client/preferences";
import { Answered } from "./_client/prefetch";
import { Providers } from "./_client/providers";
import { ask } from "./_client/questions";
import { PanelProvider } from "./_ui/panel/panel-state";
import { RowPanel } from "./_ui/panel/row-panel";
import { Shell } from "./_ui/shell";
import { EARLY_ACTS } from "./early-acts";

// Asked for with the page itself, and stood in for by a font of the same measures: nothing moves when it comes.
const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-inter",
});

export const metadata: Metadata = {
  title: { default: "Coalmine", template: "%s · Coalmine" },
  description: "Which agent rollouts the sandbox infrastructure lost, why, on which node and under which config.",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1216" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  const theme = themeOf(jar.get(THEME_COOKIE)?.value);
  const zone = zoneOf(jar.get(ZONE_COOKIE)?.value);
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" className={`${inter.variable} ${themeClass(theme)}`}>
      <head>
        <script nonce={nonce}>{EARLY_ACTS}</script>
      </head>
      <body>
        <Providers theme={theme} zone={zone} now={Date.now()} nonce={nonce}>
          <PanelProvider>
            <Answered questions={[ask.demo(), ask.health(), ask.session()]} path={null}>
              <Shell>{children}</Shell>
            </Answered>
            <RowPanel />
          </PanelProvider>
        </Providers>
      </body>
    </html>
  );
}
