/** Opens the journal of this start: on disk if possible, else in memory with a note. */
import type { SystemDescription } from '../contract/reports.ts';
import { errorText } from '../contract/error-text.ts';
import { bufferCodec } from '../adapters/buffer-codec.ts';
import { createMemoryJournal } from '../adapters/memory-journal/journal.ts';
import { openSqliteJournal } from '../adapters/sqlite-journal/journal.ts';
import { FolderInUse } from '../adapters/sqlite-journal/lock.ts';
import type { OpenReport } from '../adapters/sqlite-journal/requests.ts';
import { loadSqlite } from '../adapters/sqlite-journal/sqlite.ts';
import type { SettingValues } from '../domain/settings.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { FoundJournal } from '../runtime/services.ts';
import { clearRecordingJournals, openRecordingJournal } from './recording-journals.ts';
import { dataDirsOf, makeDataDir } from './data-dir.ts';
import { memoryShares } from './memory-shares.ts';
import { LastNotice } from './last-notice.ts';
import type { ProductOptions } from './options.ts';

type Banner = SystemDescription['banners'][number];

export interface OpenJournal {
  readonly journal: Journal;
  /** The present warnings about the journal. */
  banners(): readonly Banner[];
  /** Called when there is another banner: the journal's lines are no events, so that no screen would ask for it. */
  onBanner(listener: () => void): void;
  /** Notes for the first screen. */
  readonly notes: readonly string[];
  /** State in which the journal was found; undefined: it is in memory. */
  readonly found?: FoundJournal;
  /** Memory for unfinished messages, without their bodies. */
  readonly backlogBytes: number;
  /** Folder of the journal; undefined: it is in memory. */
  readonly folder?: string;
  /** Opens a second journal that is removed when it is closed; it is on disk only if this one is. */
  openRecordingJournal(): Promise<Journal>;
  /** Sets the sync level. Never rejects: a failure is reported as a banner. */
  setSync(level: SettingValues['journal.sync']): Promise<void>;
}

const MEMORY_ONLY = 'The history is kept in memory only and is gone when Sidelight ends.';
/** Maximum number of banners; more would fill the screen without saying anything new. */
const MAX_BANNERS = 5;

/** Opens the journal. Rejects FolderInUse, or JournalError for the file of a newer version. */
export async function openJournal(
  options: Pick<
    ProductOptions,
    'ephemeral' | 'dataDir' | 'env' | 'onBusy' | 'mode' | 'headless' | 'apps' | 'runName'
  >,
  sync: SettingValues['journal.sync'],
  log: Log,
): Promise<OpenJournal> {
  if (options.ephemeral) return inMemory([]);
  if (loadSqlite() === undefined) {
    const text = `${MEMORY_ONLY} This runtime has no built-in SQLite (node:sqlite).`;
    log.write('warn', 'journal', text);
    return inMemory([{ id: 'not-kept', text, level: 'warn' }]);
  }
  const { folder, journal } = await openFirst(dataDirsOf(options), (dir) =>
    openSqliteJournal({ folder: dir, sync, log, onBusy: options.onBusy }),
  );
  clearRecordingJournals(folder);
  const banners: Banner[] = [];
  let onBanner = (): void => undefined;
  const ofLock = new LastNotice('lock', () => onBanner());
  const warn = (text: string, level: Banner['level']): void => {
    if (banners.length >= MAX_BANNERS || banners.some((known) => known.text === text)) return;
    banners.push({ id: `journal-${banners.length}`, text, level });
    onBanner();
  };
  const { report } = journal;
  // A command begins with what its user has to change, and its notes name the folder.
  const isCommand = (options.mode === 'run' || options.mode === 'tap') && !options.headless;
  log.write(isCommand ? 'debug' : 'info', 'journal', `${report.file}, SQLite ${report.sqlite}`);
  for (const note of report.notes) {
    log.write('warn', 'journal', note);
    warn(note, report.refuses === undefined ? 'warn' : 'error');
  }
  journal.onTrouble((text) => warn(text, 'error'));
  journal.onLockNotice(ofLock.take);
  return {
    journal,
    backlogBytes: memoryShares().backlogBytes,
    banners: () => [...banners, ...ofLock.banners()],
    onBanner: (listener) => (onBanner = listener),
    notes:
      (options.mode === 'run' || options.mode === 'tap') && options.dataDir === undefined
        ? [`History is kept in ${folder} (--data-dir names another folder)`]
        : [],
    found: foundBy(report),
    folder,
    openRecordingJournal: () => openRecordingJournal(report.refuses === undefined ? folder : undefined, log),
    setSync: async (level) => {
      try {
        await journal.setSync(level);
      } catch (error) {
        const said = errorText(error);
        log.write('error', 'journal', `journal.sync could not be set to ${level}: ${said}`);
      }
    },
  };
}

function foundBy({ wasUnclean, salvage, mayMiss = false }: OpenReport): FoundJournal {
  return { wasCut: wasUnclean, lost: salvage?.lost ?? 0, mayMiss };
}

/** Opens the first folder that no other process uses. Rejects FolderInUse when all are used. */
async function openFirst<T>(
  folders: readonly string[],
  open: (folder: string) => Promise<T>,
): Promise<{ readonly folder: string; readonly journal: T }> {
  const [folder = '', ...others] = folders;
  makeDataDir(folder);
  try {
    return { folder, journal: await open(folder) };
  } catch (error) {
    if (!(error instanceof FolderInUse) || others.length === 0) throw error;
    return openFirst(others, open);
  }
}

function inMemory(banners: readonly Banner[]): OpenJournal {
  const { journalBytes, backlogBytes } = memoryShares();
  const journal = createMemoryJournal({ codec: bufferCodec, capacityBytes: journalBytes });
  return {
    journal,
    backlogBytes,
    banners: () => banners,
    onBanner: () => undefined,
    notes: [],
    openRecordingJournal: async () =>
      createMemoryJournal({ codec: bufferCodec, capacityBytes: journalBytes }),
    setSync: async () => undefined,
  };
}
