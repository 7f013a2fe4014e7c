import { Worker } from 'node:worker_threads';

/** Drawing takes a tenth of a second, more on a busy machine; a thread that hangs is ended and replaced. */
const DRAWING_MAX_MS = 20_000;
/** How many pictures callers may wait for; further ones are not drawn now. */
const ASKED_MAX = 16;
/** How many pictures may wait to be drawn before anyone asks. */
const AHEAD_MAX = 500;
/** A picture that no one waits for is followed by a pause of this many times its drawing time. */
const AHEAD_PAUSE = 9;
/** Where it is never quiet, a picture that no one waits for is drawn after so long all the same. */
const AHEAD_WAIT_MAX_MS = 10_000;
const QUIET_LOOK_MS = 500;

export type Renderer = {
  /** `null`: too many wait already. Rejects when the picture cannot be drawn. */
  draw: (svg: string, when: 'asked' | 'ahead') => Promise<Uint8Array | null>;
  /** A caller waits for one that was to be drawn ahead. */
  hurry: (svg: string) => void;
};

export type DrawingLimits = {
  drawingMaxMs: number;
  askedMax: number;
  aheadMax: number;
  aheadWaitMaxMs: number;
  /** Whether no caller waits for a payment: then pictures are drawn ahead. Absent: always. */
  isQuiet?: (() => boolean) | undefined;
};

type Wanted = { svg: string; sinceMs: number; resolve: (png: Uint8Array) => void; reject: (error: unknown) => void };

/**
 * Turns an SVG of ours into a PNG with these fonts and no others. One thread draws one picture after the other, so that
 * pictures never take more than one core from payments; those drawn ahead take a tenth of it, and give way to payments and
 * to those that a caller waits for. The thread starts with the first picture, and does not keep the process alive.
 */
export function createRenderer(fonts: readonly Uint8Array[], limits: Partial<DrawingLimits> = {}): Renderer {
  const { drawingMaxMs = DRAWING_MAX_MS, askedMax = ASKED_MAX, aheadMax = AHEAD_MAX } = limits;
  const { aheadWaitMaxMs = AHEAD_WAIT_MAX_MS, isQuiet = () => true } = limits;
  const waiting: { asked: Wanted[]; ahead: Wanted[] } = { asked: [], ahead: [] };
  const most = { asked: askedMax, ahead: aheadMax };
  let thread: Worker | null = null;
  let isDrawing = false;
  let pause: NodeJS.Timeout | null = null;

  /** A thread that failed is not used again: what it still does must not be taken for another picture. */
  async function drawNow(svg: string): Promise<Uint8Array> {
    const own = (thread ??= startThread(fonts));
    try {
      return await answerOf(own, svg, drawingMaxMs);
    } catch (error) {
      thread = null;
      void own.terminate();
      throw error;
    }
  }

  async function next(): Promise<void> {
    if (isDrawing) return;
    const asked = waiting.asked.shift();
    const wanted = asked ?? nextAhead();
    if (wanted === undefined) return;
    isDrawing = true;
    const startedMs = performance.now();
    await drawNow(wanted.svg).then(wanted.resolve, wanted.reject);
    isDrawing = false;
    if (asked === undefined) rest((performance.now() - startedMs) * AHEAD_PAUSE);
    void next();
  }

  function nextAhead(): Wanted | undefined {
    const [first] = waiting.ahead;
    if (pause !== null || first === undefined) return undefined;
    if (isQuiet() || performance.now() - first.sinceMs >= aheadWaitMaxMs) return waiting.ahead.shift();
    rest(QUIET_LOOK_MS);
    return undefined;
  }

  function rest(ms: number): void {
    pause = setTimeout(() => {
      pause = null;
      void next();
    }, ms);
    pause.unref();
  }

  return {
    draw: async (svg, when) => {
      if (waiting[when].length >= most[when]) return null;
      return new Promise((resolve, reject) => {
        waiting[when].push({ svg, sinceMs: performance.now(), resolve, reject });
        void next();
      });
    },
    hurry: (svg) => {
      const index = waiting.ahead.findIndex((wanted) => wanted.svg === svg);
      if (index < 0 || waiting.asked.length >= askedMax) return;
      waiting.asked.push(...waiting.ahead.splice(index, 1));
      void next();
    },
  };
}

function startThread(fonts: readonly Uint8Array[]): Worker {
  const thread = new Worker(new URL('./preview-thread.mjs', import.meta.url), {
    workerData: { fonts },
    // Neither the loader of this process nor its secrets.
    execArgv: [],
    env: {},
  });
  thread.unref();
  // One that dies between two pictures is noticed by the next.
  thread.on('error', () => undefined);
  return thread;
}

function answerOf(thread: Worker, svg: string, limitMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => fail(`a picture took more than ${limitMs} ms to draw`), limitMs);
    const onExit = (code: number) => fail(`the thread ended with ${code} and no picture`);
    const onError = (error: unknown) => fail('the picture was not drawn', error);
    const onMessage = (answer: { png?: unknown; failure?: unknown }) => {
      if (!(answer.png instanceof Uint8Array)) return fail('the picture was not drawn', answer.failure);
      end();
      return resolve(answer.png);
    };
    function end(): void {
      clearTimeout(limit);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    }
    function fail(text: string, cause?: unknown): void {
      end();
      reject(new Error(text, { cause }));
    }
    thread.once('message', onMessage).once('error', onError).once('exit', onExit);
    thread.postMessage(svg);
  });
}
