import { Tag } from "./tag";

/** Marks what belongs to the made-up fleet. */
export function DemoTag() {
  return <Tag tone="warn">made up</Tag>;
}
