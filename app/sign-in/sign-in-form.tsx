"use client";

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { API, change } from "@/app/_client/api";
import { Bird } from "@/app/_ui/brand";
import { Button } from "@/app/_ui/button";
import { Field } from "@/app/_ui/field";

/** Takes a token for a cookie. */
export function SignInForm({ next }: { next: string }) {
  const signIn = useMutation({
    mutationFn: (token: string) => change("POST", `${API}/session`, { token }),
    // A whole load: what was answered before belongs to nobody.
    onSuccess: () => window.location.assign(next),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(String(new FormData(event.currentTarget).get("token") ?? "").trim());
  };
  return (
    <main id="content" className="flex min-h-dvh items-center justify-center bg-sub px-4">
      {/* Never sent as such; were it, the token would not be in the address. */}
      <form method="post" onSubmit={submit} className="flex w-full max-w-sm flex-col gap-4 rounded-lg border bg-bg p-6">
        <h1 className="flex items-center gap-2 text-[15px] font-semibold">
          <Bird className="size-[18px] text-(--f-proxy)" /> Sign in to Coalmine
        </h1>
        <Field
          label="Token"
          name="token"
          type="password"
          autoComplete="current-password"
          required
          hint="One of the server's COALMINE_TOKENS. It is exchanged for a cookie and not kept here."
        />
        <div aria-live="polite">{signIn.error && <p className="text-bad">{signIn.error.message}</p>}</div>
        <Button type="submit" look="primary" disabled={signIn.isPending || signIn.isSuccess}>
          {signIn.isPending || signIn.isSuccess ? "Signing in …" : "Sign in"}
        </Button>
      </form>
    </main>
  );
}
