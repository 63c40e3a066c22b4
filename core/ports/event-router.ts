/** The event router as the console sees it: one method for each of `eventRouter.*`; core/event-router implements them. */
import type { EventRouterStatus } from '../contract/event-router/components.ts';
import type {
  CertificateParams,
  CertificateResult,
  CreateParams,
  CreateResult,
  DeliveriesParams,
  DeliveriesResult,
  EmulateParams,
  EmulateResult,
  FaultsParams,
  FaultsResult,
  HandshakeAct,
  HandshakeResult,
  RevealParams,
  RouterActParams,
  RouterActResult,
  SubscriptionsParams,
  SubscriptionsResult,
  TokenParams,
  TokenResult,
  TopicsParams,
} from '../contract/event-router/methods.ts';
import type { SimulateParams, SimulateResult } from '../contract/event-router/simulate.ts';
import type {
  BreakpointsParams,
  RouterBreakpoint,
  RouterTopic,
} from '../contract/event-router/local-router.ts';

/** Each throws Refusal NOT_FOUND for a component, topic or delivery that is not there, INVALID_PARAMS for what cannot be done with it. */
export interface EventRouterService {
  status(params: { component?: string }): Promise<EventRouterStatus>;
  handshake(params: { component: string; act?: HandshakeAct }): Promise<HandshakeResult>;
  emulate(params: EmulateParams): Promise<EmulateResult>;
  create(params: CreateParams): Promise<CreateResult>;
  subscriptions(params: SubscriptionsParams): Promise<SubscriptionsResult>;
  deliveries(params: DeliveriesParams): Promise<DeliveriesResult>;
  act(params: RouterActParams): Promise<RouterActResult>;
  breakpoints(params: BreakpointsParams): Promise<{ items: readonly RouterBreakpoint[] }>;
  topics(params: TopicsParams): Promise<{ items: readonly RouterTopic[] }>;
  token(params: TokenParams): Promise<TokenResult>;
  certificate(params: CertificateParams): Promise<CertificateResult>;
  faults(params: FaultsParams): Promise<FaultsResult>;
  /** Plays a delivery through the retry schedule of the embedded router; nothing is sent. */
  simulate(params: SimulateParams): Promise<SimulateResult>;
  /** Each call is a line in the log. */
  reveal(params: RevealParams): Promise<{ value: string }>;
}
