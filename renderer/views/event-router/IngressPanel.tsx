/** The HTTPS ingress with its rules, faults and certificate, and instructions for trusting it. */
import { Copy } from 'lucide-react';
import type { ReactElement } from 'react';
import type { CertificateResult } from '../../../core/contract/event-router/methods.ts';
import type {
  CertInfo,
  IngressFault,
  IngressStatus,
} from '../../../core/contract/event-router/local-router-status.ts';
import { INGRESS_FAULTS } from '../../../core/contract/event-router/words.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { fill } from '../../copy/fill.ts';
import { INGRESS, INGRESS_FAULT_WORDS } from './copy/local-router.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

function isIngressFault(value: string): value is IngressFault {
  return INGRESS_FAULTS.some((each) => each === value);
}

/** The ingress and its certificate. */
export function IngressPanel(): ReactElement {
  const { acting, call, eventRouter } = useConsole();
  const { away, ask, isPending, run } = useRouterActs();
  return (
    <Panel
      title={INGRESS.title}
      acts={
        <>
          <Button
            off={away}
            pending={isPending('renew')}
            onClick={() =>
              run('renew', async () => {
                await call('eventRouter.certificate', { act: 'renew-leaf' });
                return INGRESS.renewed;
              })
            }
          >
            {INGRESS.renew}
          </Button>
          <Button
            off={away}
            pending={isPending('rotate-ca')}
            onClick={() =>
              ask({ title: INGRESS.rotate, text: INGRESS.rotateQuestion }, 'rotate-ca', async () => {
                await call('eventRouter.certificate', { act: 'rotate-ca' });
                return INGRESS.rotated;
              })
            }
          >
            {INGRESS.rotate}
          </Button>
          <Button
            icon={Copy}
            off={away}
            onClick={() =>
              run('pem', async () => {
                await acting.copy((await call('eventRouter.certificate', {})).pem ?? '');
                return undefined;
              })
            }
          >
            {INGRESS.copyPem}
          </Button>
        </>
      }
    >
      <Known of={eventRouter.certificate} loading={INGRESS.loading} failed={INGRESS.failed}>
        {(certificate) => (
          <>
            {certificate.ingress !== undefined && <IngressState ingress={certificate.ingress} />}
            <Certificates certificate={certificate} />
            <Trust certificate={certificate} />
          </>
        )}
      </Known>
    </Panel>
  );
}

function IngressState({ ingress }: { readonly ingress: IngressStatus }): ReactElement {
  const { call } = useConsole();
  const { away, run } = useRouterActs();
  const setFault = (fault: IngressFault): void =>
    run('ingress', async () => {
      await call('eventRouter.faults', { ingress: fault });
      return fault === 'none' ? INGRESS.fixed : fill(INGRESS.broke, { how: INGRESS_FAULT_WORDS[fault] });
    });
  return (
    <>
      <div className={css.head}>
        <span>
          {ingress.listening
            ? fill(INGRESS.listening, { url: ingress.url })
            : fill(INGRESS.notListening, { message: ingress.error?.message })}
        </span>
        <Choice
          label={INGRESS.misbehave}
          value={ingress.fault}
          off={away}
          options={INGRESS_FAULTS.map((value) => ({ value, title: INGRESS_FAULT_WORDS[value] }))}
          onChange={(next) => {
            if (isIngressFault(next)) setFault(next);
          }}
        />
      </div>
      {ingress.rules.length > 0 && (
        <DataTable
          dense
          label={INGRESS.rules}
          columns={[INGRESS.ruleColumns.public, INGRESS.ruleColumns.upstream, INGRESS.ruleColumns.state]}
          rows={ingress.rules.map((rule) => ({
            id: `${rule.host}${rule.path}`,
            isBad: rule.upstreamState === 'down',
            cells: [
              <code key="public">{`${rule.host}${rule.path}`}</code>,
              <code key="upstream">{rule.upstream}</code>,
              INGRESS.upstream[rule.upstreamState],
            ],
          }))}
        />
      )}
    </>
  );
}

function Certificates({ certificate }: { readonly certificate: CertificateResult }): ReactElement | null {
  const leaf = certificate.ingress?.certificate ?? certificate.leaf;
  const rows: readonly (readonly [string, CertInfo | undefined])[] = [
    [INGRESS.leaf, leaf],
    [INGRESS.ca, certificate.ca],
  ];
  const { columns } = INGRESS;
  return (
    <DataTable
      dense
      label={INGRESS.leaf}
      folded={[2, 3, 4]}
      columns={[
        '',
        columns.name,
        columns.issuer,
        columns.names,
        columns.until,
        columns.left,
        columns.verdict,
      ]}
      numeric={[5]}
      rows={rows.flatMap(([name, info]) =>
        info === undefined
          ? []
          : [
              {
                id: name,
                isBad: info.verdict !== 'ok',
                cells: [
                  <strong key="which">{name}</strong>,
                  info.subject,
                  info.issuer,
                  info.names.join(', '),
                  info.notAfter.slice(0, 10),
                  info.daysLeft,
                  info.verdict === 'ok' ? INGRESS.verdictOk : info.verdict,
                ],
                below: (
                  <p className={css.fingerprint}>
                    {columns.fingerprint} {info.fingerprint}
                  </p>
                ),
              },
            ],
      )}
    />
  );
}

function Trust({ certificate }: { readonly certificate: CertificateResult }): ReactElement | null {
  const { acting } = useConsole();
  const { hints = [], caFile } = certificate;
  if (hints.length === 0) return null;
  return (
    <details>
      <summary>{INGRESS.trust}</summary>
      <div className={css.tab}>
        <p className={css.muted}>{INGRESS.trustHint}</p>
        {caFile !== undefined && <code>{caFile}</code>}
        {hints.map(({ runtime, text }) => (
          <div key={runtime} className={css.check}>
            <strong>{runtime}</strong>
            <code className={css.value}>{text}</code>
            <IconButton
              icon={Copy}
              label={fill(INGRESS.copyHint, { runtime })}
              onClick={() => void acting.copy(text)}
            />
          </div>
        ))}
      </div>
    </details>
  );
}
