/** Opens everything before the first request, so that a wrong setting stops the start and says why. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { allowLongUploads } = await import("@/server/http/long-uploads");
  allowLongUploads();
  const { services } = await import("@/server/wire");
  await services();
}
