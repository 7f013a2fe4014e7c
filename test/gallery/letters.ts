import { listPages as listClaims, newVisitor } from '../api/claims/gallery.ts';
import { serveInstallation } from '../api/claims/server.ts';
import { listPages as listLetters } from '../api/pages/gallery.ts';
import type { GalleryPart } from './page.ts';

/** As an operator has it on mainnet, since that is what people see. With terms of their own, ours would not be seen. */
const OPERATOR = { name: 'Example Payments', supportUrl: 'https://help.example/', termsUrl: '' };

/** The letters, the start page and everything about collecting. */
export async function startLetters(): Promise<GalleryPart> {
  const installation = await serveInstallation(({ dependencies: { settings } }) => ({
    settings: { ...settings, operator: OPERATOR, localMode: false },
  }));
  const visitor = newVisitor(installation);
  const { name, value } = visitor.cookie;
  const toPages = (part: string, paths: ReadonlyMap<string, string>) =>
    [...paths].map(([title, path]) => ({
      name: `${part} ${title}`,
      url: installation.url + path,
      cookie: { name, value },
    }));
  const letters = toPages('page', await listLetters(installation));
  const claims = toPages('claim', await listClaims(installation, visitor));
  return { pages: [...letters, ...claims], close: installation.close };
}
