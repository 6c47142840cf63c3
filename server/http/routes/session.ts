/** Signing in: a token becomes a cookie for the pages. */
import { z } from "zod";
import { TOKEN_ROLES } from "@/server/domain/access";
import { CoalmineError } from "@/server/domain/errors";
import { endedSessionCookie, findToken, sessionCookie } from "../auth";
import { defineRoute, Reply, type Route } from "../route";

const session = z.object({ name: z.string(), role: z.enum(TOKEN_ROLES) });
const asker = session.extend({
  signIn: z.boolean().meta({ description: "This server asks for tokens; without them everyone here is the operator." }),
});

export const sessionRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/session",
    need: "viewer",
    operation: "getSession",
    summary: "Who you are, and what you may do.",
    query: z.strictObject({}),
    answer: { description: "The asker.", schema: asker },
    handle: async ({ principal, services }) => ({ ...principal, signIn: services.settings.tokens.length > 0 }),
  }),
  defineRoute({
    method: "POST",
    path: "/session",
    need: "open",
    operation: "signIn",
    summary: "Signs in with a token: sets the cookie by which pages know you.",
    query: z.strictObject({}),
    body: z.strictObject({ token: z.string().min(1).max(1000) }),
    answer: { description: "Who you are.", schema: session },
    async handle({ body, services, now }) {
      const { settings } = services;
      if (settings.tokens.length === 0) return { name: "local", role: "operator" };
      const token = findToken(body.token, settings);
      if (!token) throw new CoalmineError("unauthorized", "token: is none of this server's tokens");
      const headers = { "set-cookie": sessionCookie(token, settings, now) };
      return new Reply({ name: token.name, role: token.role }, { headers });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/session",
    need: "open",
    operation: "signOut",
    summary: "Signs out.",
    query: z.strictObject({}),
    answer: { description: "Nothing.", schema: z.undefined() },
    handle: async ({ services }) =>
      new Reply(undefined, { headers: { "set-cookie": endedSessionCookie(services.settings) } }),
  }),
];
