import { strong, type Span } from '../../core/view.ts';

/** A moment within a sentence, such as `21 Nov, 12:00 UTC`. A page shows it in the reader's own zone. */
export function momentIn(locale: string): (at: Date) => Span {
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  return (at) => ({ ...strong(`${format.format(at)} UTC`), atMs: at.getTime() });
}
