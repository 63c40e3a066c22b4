/**
 * Tokens of one component: its management token, the published keys, and verdicts on the tokens of received
 * requests.
 */
import { KeyRound, RotateCw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Facts } from '../../components/Facts.tsx';
import type { EventRouterComponent, TokenVerdict } from '../../../core/contract/event-router/components.ts';
import type { TokenReport } from '../../../core/contract/event-router/methods.ts';
import { Button } from '../../components/Button.tsx';
import { useNow } from '../../components/clock.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { TOKEN_CHECKS_WORDS, TOKENS } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { clockSeconds, clockSpan } from '../../format/clock-time.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** Management token, keys, verdicts, and buttons that change them. */
export function TokenPanel({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { call, eventRouter } = useConsole();
  const { away, isPending, run } = useRouterActs();
  return (
    <Panel
      title={TOKENS.title}
      acts={
        <>
          <Button
            icon={RotateCw}
            off={away}
            pending={isPending('refresh')}
            onClick={() =>
              run('refresh', async () => {
                await call('eventRouter.token', { component: component.name, act: 'refresh' });
                return TOKENS.refreshed;
              })
            }
          >
            {TOKENS.refresh}
          </Button>
          <Button
            icon={KeyRound}
            off={away}
            pending={isPending('rotate-key')}
            onClick={() =>
              run('rotate-key', async () => {
                await call('eventRouter.token', { component: component.name, act: 'rotate-key' });
                return TOKENS.keyRotated;
              })
            }
          >
            {TOKENS.rotateKey}
          </Button>
        </>
      }
    >
      <Known of={eventRouter.tokens} loading={TOKENS.loading} failed={TOKENS.failed}>
        {({ items }) => {
          const mine = items.find((each) => each.component === component.name);
          return mine === undefined ? (
            <p className={css.muted}>{TOKENS.noToken}</p>
          ) : (
            <Report report={mine} />
          );
        }}
      </Known>
      <RotateSecret component={component} />
    </Panel>
  );
}

function Report({ report }: { readonly report: TokenReport }): ReactElement {
  const { management, keys, verdicts } = report;
  const now = useNow(management.expiresAt !== undefined);
  const left = management.expiresAt === undefined ? 0 : Date.parse(management.expiresAt) - now;
  const expires =
    management.expiresAt === undefined
      ? TOKENS.noToken
      : fill(left > 0 ? TOKENS.expiresIn : TOKENS.expired, {
          time: clockSeconds(management.expiresAt),
          left: clockSpan(left),
        });
  return (
    <>
      <h3>{TOKENS.management}</h3>
      <Facts
        facts={[
          [TOKENS.audience, management.audience],
          [TOKENS.expires, expires],
          [
            TOKENS.keys,
            keys.fetchedAt === undefined
              ? (keys.error ?? TOKENS.noKeys)
              : fill(TOKENS.keysAt, { n: keys.kids.length, time: clockSeconds(keys.fetchedAt) }),
          ],
        ]}
      />
      {management.error !== undefined && (
        <p className={css.problem}>
          {management.code !== undefined && <code>{management.code} </code>}
          {management.error}
        </p>
      )}
      <h3>{TOKENS.delivery}</h3>
      {verdicts.length === 0 ? (
        <p className={css.muted}>{TOKENS.noVerdict}</p>
      ) : (
        <ol className={css.tab}>
          {verdicts.slice(0, SHOWN).map((verdict, index) => (
            <Verdict key={`${verdict.at} ${index}`} verdict={verdict} />
          ))}
        </ol>
      )}
    </>
  );
}

const SHOWN = 5;

function Verdict({ verdict }: { readonly verdict: TokenVerdict }): ReactElement {
  const { accepted, reason, claims, checks } = verdict;
  const aud = typeof claims.aud === 'string' ? claims.aud : claims.aud?.join(', ');
  return (
    <li className={css.attempt}>
      <p className={accepted ? undefined : css.problem}>
        <time dateTime={verdict.at}>{clockSeconds(verdict.at)}</time>{' '}
        {accepted ? TOKENS.verified : fill(TOKENS.refused, { reason })}
        {verdict.errorCode !== undefined && <code> {verdict.errorCode}</code>}
      </p>
      {verdict.warnings.map((warning) => (
        <p key={warning} className={css.muted}>
          {warning}
        </p>
      ))}
      <details>
        <summary>{TOKENS.claims}</summary>
        <Facts
          facts={[
            ...checks.map(
              ({ check, result }) => [TOKEN_CHECKS_WORDS[check], TOKENS.results[result]] as const,
            ),
            ['kid', claims.kid ?? VIEWS_COMMON.dash],
            ['iss', claims.iss ?? VIEWS_COMMON.dash],
            ['aud', aud ?? VIEWS_COMMON.dash],
            ['azp', claims.caller ?? VIEWS_COMMON.dash],
            ['exp', claims.expiresAt ?? VIEWS_COMMON.dash],
          ]}
        />
      </details>
    </li>
  );
}

function RotateSecret({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { acting, call } = useConsole();
  const { away, ask, isPending } = useRouterActs();
  const [secret, setSecret] = useState<string>();
  return (
    <div className={css.head}>
      <Button
        off={away}
        pending={isPending('rotate-secret')}
        onClick={() =>
          ask(
            {
              title: TOKENS.rotateSecret,
              text: fill(TOKENS.rotateQuestion, { component: component.name }),
            },
            'rotate-secret',
            async () => {
              const answer = await call('eventRouter.token', {
                component: component.name,
                act: 'rotate-secret',
              });
              setSecret(answer.clientSecret);
              return undefined;
            },
          )
        }
      >
        {TOKENS.rotateSecret}
      </Button>
      {secret !== undefined && (
        <span role="status">
          {TOKENS.secretRotated}: <code>{secret}</code>{' '}
          <Button kind="quiet" onClick={() => void acting.copy(secret)}>
            {TOKENS.copySecret}
          </Button>
        </span>
      )}
    </div>
  );
}
