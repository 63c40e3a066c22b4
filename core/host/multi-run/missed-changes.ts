/** Why changes of files are missed, and how to go on, in words. */
import { counted } from '../../contract/count-text.ts';
import { durationText } from '../../domain/duration.ts';

/** Maximum number of folders that are watched for one app. */
export const MAX_FOLDERS = 1000;

/** Time between two tries to watch the folders that could not be watched. */
export const RETRY_MS = 10_000;

/** Folders that should be watched, and are not. */
export interface Unwatched {
  /** Absolute paths, each with the code of the system's error. */
  readonly folders: ReadonlyMap<string, string>;
  /** Whether there are more folders than are watched. */
  readonly isFull: boolean;
}

interface Trouble {
  /** The part of the sentence before the folder. */
  readonly what: string;
  readonly advice: string;
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  ENOSPC: {
    what: 'the system has no file watch left for',
    advice: 'raise fs.inotify.max_user_watches, or name fewer folders in watch',
  },
  EMFILE: {
    what: 'too many files or file watches are open to watch',
    advice: 'raise ulimit -n, or fs.inotify.max_user_instances on Linux',
  },
  EACCES: { what: 'there is no permission to read', advice: 'give this user the right to read it' },
  EPERM: { what: 'there is no permission to watch', advice: 'give this user the right to read it' },
};

/** The reasons, each with its advice; undefined: everything is watched. */
export function missedChanges({ folders, isFull }: Unwatched): string | undefined {
  const reasons = [...new Set(folders.values())].map((code) => {
    const [first = '', ...more] = [...folders.keys()].filter((folder) => folders.get(folder) === code);
    const where = more.length === 0 ? first : `${first} and ${counted(more.length, 'more folder')}`;
    const trouble = TROUBLES[code];
    return trouble === undefined
      ? `the system does not watch ${where} (${code})`
      : `${trouble.what} ${where}: ${trouble.advice}`;
  });
  if (reasons.length > 0)
    reasons.push(
      `Sidelight tries again every ${durationText(RETRY_MS)}, and then restarts the app, because its files may have changed`,
    );
  if (isFull)
    reasons.push(
      `there are more than ${counted(MAX_FOLDERS, 'folder')}, and the rest is not watched: name the folders that matter in watch, such as src/**`,
    );
  return reasons.length === 0 ? undefined : reasons.join('; ');
}
