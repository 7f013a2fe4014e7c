import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import type { Section, TrustFacts } from '../../texts/trust/en.ts';
import { TRUST } from '../../texts/trust/languages.ts';
import type { Operator, Page } from '../../web/page.ts';

/** What can be read about the service itself. */
export const TRUST_PAGES = ['real', 'help', 'terms', 'privacy'] as const;
export type TrustPageName = (typeof TRUST_PAGES)[number];

/** For people who have never heard of this. Text only: it is there without script, and nobody is asked for anything. */
export function trustPage(
  name: TrustPageName,
  facts: TrustFacts,
  { operator, language }: { operator: Operator; language: Language },
): Page {
  const words = TRUST[language];
  const { lead, sections } = contentOf(name, facts, language);
  const title = words.links[name];
  return {
    title,
    description: lead,
    isIndexed: true,
    path: `/${name}`,
    main: html`<article class="paper letter prose">
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${sections.map(
        ({ heading, paragraphs }) => html`<section>
        <h2>${heading}</h2>
        ${paragraphs.map((text) => html`<p>${text}</p>`)}
      </section>`,
      )}
      <p class="actions">${
        operator.supportUrl === ''
          ? ''
          : html`<a class="button" href="${operator.supportUrl}" rel="noopener">${words.askOperator}</a> `
      }<a class="button quiet" href="${name === 'help' ? '/purse' : '/status'}">${name === 'help' ? words.seeMoney : words.seeStatus}</a></p>
    </article>`,
  };
}

function contentOf(
  name: TrustPageName,
  facts: TrustFacts,
  language: Language,
): { lead: string; sections: readonly Section[] } {
  const words = TRUST[language];
  switch (name) {
    case 'real':
      return { lead: words.realLead(facts), sections: words.real(facts) };
    case 'help':
      return { lead: words.helpLead, sections: words.help() };
    case 'terms':
      return { lead: words.termsLead(facts), sections: words.terms(facts) };
    case 'privacy':
      return { lead: words.privacyLead(facts), sections: words.privacy(facts) };
  }
}
