import { platformRow, type Platform } from './platforms.ts';
import { recipientName } from './recipient-name.ts';

/** `@alice`: how people of a platform call each other. For places where its sign or title stands beside it. */
export function handleOf({ platform, key }: { platform: Platform; key: string }): string {
  switch (platformRow(platform).peopleAreCalled) {
    case '@name on title':
      return `@${key}`;
    case 'name on title':
      return key;
    case 'as in a chat':
      return recipientName({ platform, key });
  }
}
