/**
 * A signal for the caller's abort and the time limit. Not `AbortSignal.any([signal, AbortSignal.timeout(…)])`: on Node
 * 20 nothing references the second one, so it can be garbage-collected and the limit never comes.
 */
export function startLimit(timeoutMs: number, caller?: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  if (caller?.aborted) abort();
  else caller?.addEventListener('abort', abort, { once: true });
  const end = (): void => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, end };
}
