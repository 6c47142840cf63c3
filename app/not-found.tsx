import { MissingView } from "./missing-view";

export default function NotFound() {
  return <MissingView />;
}
