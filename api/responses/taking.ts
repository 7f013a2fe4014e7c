import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Timer } from '../../queue/alarm.ts';

/**
 * A caller that has just left turns the answer away with a reset, which is here within a round trip. Until then a socket
 * that would be closed stays open: once it is closed, nobody hears of a reset any more.
 */
const RESET_WITHIN_MS = 300;
/** A busy caller may leave later and never have read what its system accepted. Idle sockets are closed after 5 s. */
const TAKEN_AFTER_MS = 4_000;

export type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse };
export type Taking = 'handed' | 'missed';

const watched = new WeakMap<Socket, () => void>();

/**
 * Tells once whether the caller took an answer that is not written yet. `missed`: the socket was reset, or closed before
 * the answer was written, or too soon after to know. The function returned looks at once: a reset that has arrived is
 * told before the next turn of the event loop.
 */
export function watchTaking(
  { incoming: { socket }, outgoing }: Exchange,
  tell: (taking: Taking) => void,
  timer: Timer,
): () => void {
  // Who asks for the next answer on this socket has read the one before, if that was written.
  watched.get(socket)?.();
  let isTold = false;
  let writtenAtMs = Infinity;
  let callOff = () => {};
  let letGo = () => {};
  const onError = () => settle('missed');
  const onClose = () => settle(isSure() ? 'handed' : 'missed');
  const onWritten = () => {
    writtenAtMs = timer.nowMs();
    callOff = timer.after(TAKEN_AFTER_MS, () => settle('handed'));
  };

  function settle(taking: Taking): void {
    if (isTold) return;
    isTold = true;
    callOff();
    socket.off('error', onError).off('close', onClose);
    if (watched.get(socket) === onNext) watched.delete(socket);
    letGo();
    tell(taking);
  }

  /** After the caller's end of the stream nothing more is read, so only a write meets the reset: it has no bytes. */
  const look = () => {
    if (!isTold && outgoing.writableFinished && socket.writable) socket.write('');
  };
  const onNext = () => {
    if (writtenAtMs !== Infinity) settle('handed');
  };
  /** Resets come within that time of the answer, and not of its caller's end. */
  const isSure = () => timer.nowMs() - writtenAtMs >= RESET_WITHIN_MS;
  const onWaited = () => {
    look();
    setImmediate(() => settle('handed'));
  };

  if (socket.destroyed) {
    settle('missed');
    return look;
  }
  socket.once('error', onError).once('close', onClose);
  watched.set(socket, onNext);
  // Node ends the socket of a last answer before it tells others that the answer is written.
  outgoing.once('prefinish', () => {
    if (!isTold) letGo = holdOpen(socket, timer, { isSure, onWaited });
  });
  outgoing.once('finish', onWritten);
  return look;
}

/** From now on its end waits a little. The function returned makes up for what has waited. */
function holdOpen(
  socket: Socket,
  timer: Timer,
  { isSure, onWaited }: { isSure: () => boolean; onWaited: () => void },
): () => void {
  let callOff: (() => void) | null = null;
  const wait = () => {
    callOff = timer.after(RESET_WITHIN_MS, () => (isSure() ? onWaited() : wait()));
  };
  const endLater = (last?: unknown) => {
    if (typeof last === 'string' || last instanceof Uint8Array) socket.write(last);
    if (callOff === null) wait();
    return socket;
  };
  Object.assign(socket, { end: endLater, destroySoon: endLater });
  return () => {
    for (const name of ['end', 'destroySoon'] as const) Reflect.deleteProperty(socket, name);
    if (callOff === null) return;
    callOff();
    socket.destroySoon();
  };
}
