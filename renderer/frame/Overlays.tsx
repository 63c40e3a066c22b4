/** Overlays of the page: palette, shortcut sheet, dialogs. One at a time. */
import { lazy, Suspense, useEffect, type ReactElement } from 'react';
import { later } from '../components/later.tsx';
import { Overlay, Question } from '../components/Overlay.tsx';
import { Boundary, Loading, useIsSlow } from '../components/States.tsx';
import { FRAME } from '../copy/frame.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';

/** Fetched while the page rests: it takes keys as soon as it is open. */
export const Palette = later(async () => (await import('./Palette.tsx')).Palette, <Coming />);
const ColumnWidth = lazy(async () => ({
  default: (await import('../views/messages/ColumnWidth.tsx')).ColumnWidth,
}));
const SaveView = lazy(async () => ({
  default: (await import('../views/messages/SaveView.tsx')).SaveView,
}));
const ShortcutSheet = lazy(async () => ({ default: (await import('./ShortcutSheet.tsx')).ShortcutSheet }));
const FilterHelp = lazy(async () => ({ default: (await import('./FilterHelp.tsx')).FilterHelp }));
const EditReplay = lazy(async () => ({
  default: (await import('../views/act-dialogs/EditReplay.tsx')).EditReplay,
}));
const EditRelease = lazy(async () => ({
  default: (await import('../views/act-dialogs/EditRelease.tsx')).EditRelease,
}));
const DeadLetterDialog = lazy(async () => ({
  default: (await import('../views/act-dialogs/DeadLetterDialog.tsx')).DeadLetterDialog,
}));
const ReplayMany = lazy(async () => ({
  default: (await import('../views/act-dialogs/ReplayMany.tsx')).ReplayMany,
}));
const CompareDialog = lazy(async () => ({
  default: (await import('../views/act-dialogs/CompareDialog.tsx')).CompareDialog,
}));
const NoteDialog = lazy(async () => ({
  default: (await import('../views/act-dialogs/NoteDialog.tsx')).NoteDialog,
}));
const ExportDialog = lazy(async () => ({
  default: (await import('../views/recordings/ExportDialog.tsx')).ExportDialog,
}));
const HoldEditor = lazy(async () => ({
  default: (await import('../views/holds/HoldEditor.tsx')).HoldEditor,
}));
const FileEditor = lazy(async () => ({
  default: (await import('../views/components/FileEditor.tsx')).FileEditor,
}));
const RuleEditor = lazy(async () => ({
  default: (await import('../views/mock-app/RuleEditor.tsx')).RuleEditor,
}));
const OtherAnswer = lazy(async () => ({
  default: (await import('../views/mock-app/OtherAnswer.tsx')).OtherAnswer,
}));
const WhatIfDialog = lazy(async () => ({
  default: (await import('../views/act-dialogs/WhatIfDialog.tsx')).WhatIfDialog,
}));

/** The open overlay, if any. */
export function Overlays(): ReactElement {
  const { commands, navigation } = useConsole();
  const overlay = useSelected(commands.store, (state) => state.overlay);
  const kind = overlay?.kind;
  // A comparison is about messages of the place that it was opened at. Forms stay, with what was typed in them.
  useEffect(() => {
    if (kind !== 'compare') return undefined;
    return navigation.store.subscribe(commands.close);
  }, [kind, navigation, commands]);
  return (
    <Boundary
      key={kind}
      around={(said) => (
        <Overlay title={FRAME.partTitle} onClose={commands.close}>
          {said}
        </Overlay>
      )}
    >
      <Suspense fallback={<Coming />}>
        <OpenOverlay />
      </Suspense>
    </Boundary>
  );
}

/** A fallback stands for 300 ms however soon the file comes: a dialog that is shown for less would only flicker. */
const UNSEEN_MS = 600;
/** Keys of the browser itself. */
const OF_BROWSER = /^F\d/;

/**
 * Stands for an overlay whose file is still coming: at first unseen, then as a dialog that says so. Its keys are meant for what was opened,
 * so the page behind gets none of them.
 */
function Coming(): ReactElement | null {
  const { commands } = useConsole();
  const isSlow = useIsSlow(UNSEEN_MS);
  useEffect(() => {
    if (isSlow) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (OF_BROWSER.test(event.key)) return;
      event.stopImmediatePropagation();
      if (event.key === 'Escape') commands.close();
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.preventDefault();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [commands, isSlow]);
  if (!isSlow) return null;
  return (
    <Overlay title={FRAME.partComing} onClose={commands.close}>
      <Loading text={FRAME.partComing} rows={3} />
    </Overlay>
  );
}

function OpenOverlay(): ReactElement | null {
  const { commands } = useConsole();
  const overlay = useSelected(commands.store, (state) => state.overlay);
  if (overlay === undefined) return null;
  switch (overlay.kind) {
    case 'palette':
      return <Palette />;
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'filter-help':
      return <FilterHelp />;
    case 'export':
      return <ExportDialog {...overlay} />;
    case 'edit-replay':
      return <EditReplay messageId={overlay.messageId} deliveryId={overlay.deliveryId} />;
    case 'edit-release':
      return <EditRelease messageId={overlay.messageId} deliveryId={overlay.deliveryId} />;
    case 'dead-letter':
      return <DeadLetterDialog subjects={overlay.subjects} />;
    case 'replay-many':
      return <ReplayMany {...overlay} />;
    case 'compare':
      return (
        <CompareDialog
          left={overlay.left}
          right={overlay.right}
          leftIn={overlay.leftIn}
          rightIn={overlay.rightIn}
        />
      );
    case 'note':
      return <NoteDialog messageId={overlay.messageId} />;
    case 'save-view':
      return <SaveView savedViewId={overlay.savedViewId} />;
    case 'column-width':
      return <ColumnWidth column={overlay.column} />;
    case 'what-if':
      return (
        <WhatIfDialog
          messageId={overlay.messageId}
          deliveryId={overlay.deliveryId}
          recordingId={overlay.recordingId}
        />
      );
    case 'hold':
      return <HoldEditor holdId={overlay.holdId} filter={overlay.filter} />;
    case 'rule':
      return (
        <RuleEditor
          ruleId={overlay.ruleId}
          topic={overlay.topic}
          route={overlay.route}
          eventType={overlay.eventType}
        />
      );
    case 'answer':
      return <OtherAnswer deliveryId={overlay.deliveryId} />;
    case 'file':
      return <FileEditor file={overlay.file} template={overlay.template} />;
    case 'confirm': {
      const { run, ...question } = overlay.question;
      return <Question {...question} onYes={run} onClose={commands.close} />;
    }
  }
}
