import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";

export const buttonLook = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none motion-safe:transition-colors disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      look: {
        plain: "border-line2 bg-bg text-ink hover:not-disabled:bg-sub",
        primary: "border-ink bg-ink text-bg hover:not-disabled:opacity-85",
        quiet: "border-transparent text-mut hover:not-disabled:bg-sub hover:not-disabled:text-ink",
        danger: "border-bad-line bg-bad-bg text-bad hover:not-disabled:border-bad",
      },
      size: { normal: "h-[30px] px-2.5", small: "h-6 px-1.5 text-small", square: "size-[30px]" },
    },
    defaultVariants: { look: "plain", size: "normal" },
  },
);

type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonLook>;

/** A button that does something here; what leads somewhere is a link with `buttonLook`. */
export function Button({ look, size, className, ...rest }: ButtonProps) {
  return <button type="button" {...rest} className={buttonLook({ look, size, className })} />;
}
