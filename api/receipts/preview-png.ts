import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';

/** From the start of the thread; drawing takes a tenth of a second. */
const DRAWING_MAX_MS = 5_000;
/** One picture is drawn at a time, so that pictures never take more than one core from payments. */
const WAITING_MAX = 16;
const RETRY_AFTER_SECONDS = 5;

export type DrawPng = (svg: string) => Promise<Uint8Array>;

export type DrawingLimits = { drawingMaxMs: number; waitingMax: number };

/**
 * Turns an SVG of ours into a PNG with these fonts and no others. Each picture has a thread of its own: one that hangs
 * is ended, and its errors stay in it. Throws `rate_limited` when too many wait already.
 */
export function createDrawPng(fonts: readonly Uint8Array[], limits: Partial<DrawingLimits> = {}): DrawPng {
  const { drawingMaxMs = DRAWING_MAX_MS, waitingMax = WAITING_MAX } = limits;
  let previous: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (svg) => {
    if (waiting >= waitingMax) {
      const detail = 'Too many pictures are being drawn right now.';
      throw new AppError('rate_limited', { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    waiting += 1;
    const drawing = previous.then(() => drawInThread(svg, fonts, drawingMaxMs));
    // A failure reaches the caller of this drawing; the next has its turn either way.
    previous = drawing.catch(() => undefined);
    return drawing.finally(() => {
      waiting -= 1;
    });
  };
}

async function drawInThread(svg: string, fonts: readonly Uint8Array[], limitMs: number): Promise<Uint8Array> {
  const thread = new Worker(new URL('./preview-thread.mjs', import.meta.url), {
    workerData: { svg, fonts },
    // Neither the loader of this process nor its secrets.
    execArgv: [],
    env: {},
  });
  try {
    return await answerOf(thread, limitMs);
  } finally {
    await thread.terminate();
  }
}

function answerOf(thread: Worker, limitMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`a picture took more than ${limitMs} ms to draw`)), limitMs);
    const settle = (done: () => void) => {
      clearTimeout(limit);
      done();
    };
    thread.once('message', (png: unknown) =>
      settle(() => (png instanceof Uint8Array ? resolve(png) : reject(new Error('the thread sent no picture')))),
    );
    thread.once('error', (error) => settle(() => reject(new Error('the picture was not drawn', { cause: error }))));
    thread.once('exit', (code) => settle(() => reject(new Error(`the thread ended with ${code} and no picture`))));
  });
}
