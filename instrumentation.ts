/** Opens everything before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startUp } = await import("@/server/http/start-up");
  const { services } = await import("@/server/wire");
  await startUp(services);
}
