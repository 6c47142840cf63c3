/** The bird. */
export function Bird({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 18 18" fill="currentColor" aria-hidden="true" className={className}>
      <path d="M1.8 11.2c0-4.6 3.3-8 7.6-8 2.4 0 4.2 1.2 4.8 3l2.6 1-2.5 1.2c-.4 3.7-3.1 6.3-6.7 6.3H3.9l1.8-2c-2.4 0-3.9-.6-3.9-1.5Z" />
      <circle cx="11.6" cy="6.6" r=".85" className="fill-bg" />
    </svg>
  );
}
