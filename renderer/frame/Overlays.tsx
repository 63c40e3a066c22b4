/** Overlays of the page: palette, shortcut sheet, dialogs. One at a time. */
import { useEffect, type ReactElement } from 'react';
import { later } from '../components/later.tsx';
import { Overlay, Question } from '../components/Overlay.tsx';
import { Boundary } from '../components/States.tsx';
import { FRAME } from '../copy/frame.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';

/** Fetched while the page rests: it takes keys as soon as it is open. */
export const Palette = later(async () => (await import('./Palette.tsx')).Palette);
const ColumnWidth = later(async () => (await import('../views/messages/ColumnWidth.tsx')).ColumnWidth);
const SaveView = later(async () => (await import('../views/messages/SaveView.tsx')).SaveView);
const ShortcutSheet = later(async () => (await import('./ShortcutSheet.tsx')).ShortcutSheet);
const FilterHelp = later(async () => (await import('./FilterHelp.tsx')).FilterHelp);
const EditReplay = later(async () => (await import('../views/act-dialogs/EditReplay.tsx')).EditReplay);
const EditRelease = later(async () => (await import('../views/act-dialogs/EditRelease.tsx')).EditRelease);
const DeadLetterDialog = later(
  async () => (await import('../views/act-dialogs/DeadLetterDialog.tsx')).DeadLetterDialog,
);
const ReplayMany = later(async () => (await import('../views/act-dialogs/ReplayMany.tsx')).ReplayMany);
const CompareDialog = later(
  async () => (await import('../views/act-dialogs/CompareDialog.tsx')).CompareDialog,
);
const NoteDialog = later(async () => (await import('../views/act-dialogs/NoteDialog.tsx')).NoteDialog);
const ExportDialog = later(async () => (await import('../views/recordings/ExportDialog.tsx')).ExportDialog);
const HoldEditor = later(async () => (await import('../views/holds/HoldEditor.tsx')).HoldEditor);
const FileEditor = later(async () => (await import('../views/components/FileEditor.tsx')).FileEditor);
const RuleEditor = later(async () => (await import('../views/mock-app/RuleEditor.tsx')).RuleEditor);
const OtherAnswer = later(async () => (await import('../views/mock-app/OtherAnswer.tsx')).OtherAnswer);
const WhatIfDialog = later(async () => (await import('../views/act-dialogs/WhatIfDialog.tsx')).WhatIfDialog);

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
