import { AppError } from '../../core/errors.ts';
import { toEndpointRequest } from '../endpoint.ts';
import { askProvider, type Answer, type LookupTools } from '../lookup.ts';

/** Asks the hub once. Throws AppError `upstream_unavailable` when there is no answer, or one that refuses us. */
export type AskHub = {
  get: (path: string, query: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Answer>;
  /** For an unusable answer: reports it without its content. */
  refuse: (answer: Answer) => AppError;
};

export function createAskHub({ hubUrl }: { hubUrl: string }, tools: LookupTools): AskHub {
  return {
    get: async (path, query, signal) => {
      const answer = await askProvider(toEndpointRequest(hubUrl, path, query), signal, tools);
      if (answer === null) throw new AppError('upstream_unavailable');
      return answer;
    },
    refuse: ({ status }) => {
      tools.report(`unexpected answer with status ${status}`);
      return new AppError('upstream_unavailable');
    },
  };
}
