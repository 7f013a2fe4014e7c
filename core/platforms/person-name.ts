import { platformRow, type Platform } from './platforms.ts';
import { recipientName } from './recipient-name.ts';

type Named = { platform: Platform; key: string };

/** `@alice`: how people of a platform call each other. For places where its sign or title stands beside it. */
export function handleOf({ platform, key }: Named): string {
  switch (platformRow(platform).peopleAreCalled) {
    case '@name on title':
      return `@${key}`;
    case 'name on title':
      return key;
    case 'as in a chat':
      return recipientName({ platform, key });
  }
}

/**
 * `@alice on X`: a person, as pages, titles and cards name them. The form of chat commands (`x:alice`) is for those who
 * tip, and for programs.
 */
export function personName(named: Named): string {
  const { peopleAreCalled, title } = platformRow(named.platform);
  return peopleAreCalled === 'as in a chat' ? handleOf(named) : `${handleOf(named)} on ${title}`;
}
