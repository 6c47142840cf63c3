import { Button } from "@/app/_ui/button";
import { When } from "@/app/_ui/when";

interface ReadOnProps {
  answer: { hasNextPage: boolean; isFetchingNextPage: boolean; error: Error | null };
  /** What was looked through; `back` is null at the end. */
  looked: { text: string; back: string | null };
  more(): void;
}

/** How far the search has looked, and the way on. */
export function ReadOn({ answer, looked, more }: ReadOnProps) {
  const { hasNextPage, isFetchingNextPage, error } = answer;
  return (
    <p role="status" className="mt-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-small text-mut">
      <span>
        {looked.text}
        {looked.back === null ? (
          ", all that is kept here."
        ) : (
          <>
            {" "}
            back to <When at={looked.back} />.
          </>
        )}
      </span>
      {error && <span className="text-bad">Reading on failed.</span>}
      {hasNextPage && (
        <Button size="small" disabled={isFetchingNextPage} onClick={more}>
          {isFetchingNextPage ? "Looking further back …" : "Look further back"}
        </Button>
      )}
    </p>
  );
}
