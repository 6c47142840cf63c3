"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { API, change } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";

/** Who is signed in, and the way out; nothing on a server that asks for no token. */
export function SignedIn() {
  const session = useQuery({ ...ask.session(), staleTime: Number.POSITIVE_INFINITY });
  const [failed, setFailed] = useState(false);
  if (!session.data?.signIn) return null;
  const { name, role } = session.data;
  const leave = () => {
    setFailed(false);
    // A whole load: what was answered before belongs to nobody.
    change("DELETE", `${API}/session`).then(
      () => window.location.assign("/sign-in"),
      () => setFailed(true),
    );
  };
  return (
    <p className="flex items-baseline gap-2 px-1">
      <span className="min-w-0 truncate" title={`Signed in as ${name}, ${role}`}>
        {name}, {role}
      </span>
      <button type="button" onClick={leave} className="rows-link ml-auto whitespace-nowrap" aria-live="polite">
        {failed ? "Failed, again?" : "Sign out"}
      </button>
    </p>
  );
}
