import { headers } from "next/headers";
import { Answered } from "./_client/prefetch";
import { ask } from "./_client/questions";
import { addressOf } from "./_client/server-address";
import { askCanaries } from "./canaries/canary-questions";
import { OverviewView } from "./overview-view";

export default async function OverviewPage() {
  const address = addressOf(await headers());
  return (
    <Answered questions={[ask.overview(), askCanaries.targets()]} path="/">
      <OverviewView address={address} />
    </Answered>
  );
}
