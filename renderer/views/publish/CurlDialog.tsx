/** Fills the form from a curl command. */
import { useState, type ReactElement } from 'react';
import type { PublishParams } from '../../../core/contract/publish.ts';
import { Button } from '../../components/Button.tsx';
import { TextArea } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { SAVED } from '../../copy/saved.ts';
import { readCurl } from '../../format/read-curl.ts';

export interface CurlDialogProps {
  readonly onRequest: (request: PublishParams) => void;
  readonly onClose: () => void;
}

/** A dialog with one large field. */
export function CurlDialog({ onRequest, onClose }: CurlDialogProps): ReactElement {
  const [text, setText] = useState('');
  const isFilled = useDiffers({ text });
  const request = readCurl(text.trim());
  const isBad = text.trim() !== '' && request === undefined;
  return (
    <Overlay
      title={SAVED.curlTitle}
      wide
      onClose={onClose}
      isFilled={isFilled}
      foot={
        <>
          <CancelButton />
          <Button
            kind="primary"
            off={request === undefined ? SAVED.curlBad : undefined}
            onClick={() => {
              if (request === undefined) return;
              onClose();
              onRequest(request);
            }}
          >
            {SAVED.curlRun}
          </Button>
        </>
      }
    >
      <TextArea
        label={SAVED.curlLabel}
        rows={8}
        value={text}
        error={isBad ? SAVED.curlBad : undefined}
        onChange={setText}
      />
    </Overlay>
  );
}
