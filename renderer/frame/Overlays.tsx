/** Overlays of the page: palette, shortcut sheet, dialogs. One at a time. */
import { useEffect, type ComponentType, type ReactElement } from 'react';
import { later, type LaterComponent } from '../components/later.tsx';
import { Overlay, Question } from '../components/Overlay.tsx';
import { Boundary, Loading, useIsSlow } from '../components/States.tsx';
import { FRAME } from '../copy/frame.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';

/** Makes an overlay whose file is fetched when it is first opened. */
function dialog<P extends object>(load: () => Promise<ComponentType<P>>): LaterComponent<P> {
  return later(load, <Coming />);
}

/** Fetched while the page rests: it takes keys as soon as it is open. */
export const Palette = dialog(async () => (await import('./Palette.tsx')).Palette);
const ColumnWidth = dialog(async () => (await import('../views/messages/ColumnWidth.tsx')).ColumnWidth);
const SaveView = dialog(async () => (await import('../views/messages/SaveView.tsx')).SaveView);
const ShortcutSheet = dialog(async () => (await import('./ShortcutSheet.tsx')).ShortcutSheet);
const FilterHelp = dialog(async () => (await import('./FilterHelp.tsx')).FilterHelp);
const EditReplay = dialog(async () => (await import('../views/act-dialogs/EditReplay.tsx')).EditReplay);
const EditRelease = dialog(async () => (await import('../views/act-dialogs/EditRelease.tsx')).EditRelease);
const DeadLetterDialog = dialog(
  async () => (await import('../views/act-dialogs/DeadLetterDialog.tsx')).DeadLetterDialog,
);
const ReplayMany = dialog(async () => (await import('../views/act-dialogs/ReplayMany.tsx')).ReplayMany);
const CompareDialog = dialog(
  async () => (await import('../views/act-dialogs/CompareDialog.tsx')).CompareDialog,
);
const NoteDialog = dialog(async () => (await import('../views/act-dialogs/NoteDialog.tsx')).NoteDialog);
const ExportDialog = dialog(async () => (await import('../views/recordings/ExportDialog.tsx')).ExportDialog);
const HoldEditor = dialog(async () => (await import('../views/holds/HoldEditor.tsx')).HoldEditor);
const FileEditor = dialog(async () => (await import('../views/components/FileEditor.tsx')).FileEditor);
const RuleEditor = dialog(async () => (await import('../views/mock-app/RuleEditor.tsx')).RuleEditor);
const OtherAnswer = dialog(async () => (await import('../views/mock-app/OtherAnswer.tsx')).OtherAnswer);
const WhatIfDialog = dialog(async () => (await import('../views/act-dialogs/WhatIfDialog.tsx')).WhatIfDialog);

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
      <OpenOverlay />
    </Boundary>
  );
}

/** A dialog that only says that another one comes would flicker if that came sooner. */
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
