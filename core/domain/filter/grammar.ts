/**
 * The grammar of the filter language in chevrotain: it turns tokens into the bare structure of the query.
 * parse.ts adds the meaning.
 */
import { EmbeddedActionsParser } from 'chevrotain';
import type { IToken, ParserMethod } from 'chevrotain';
import {
  And,
  Comma,
  CompareOp,
  Key,
  ListOp,
  LParen,
  Minus,
  Not,
  Or,
  RParen,
  Text,
  Value,
  VOCABULARY,
} from './tokens.ts';

export type RawNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly RawNode[] }
  | { readonly kind: 'not'; readonly node: RawNode }
  | { readonly kind: 'term'; readonly key: IToken; readonly op: IToken; readonly values: readonly IToken[] }
  | { readonly kind: 'text'; readonly token: IToken };

/**
 * Result of the grammar. `stoppedAt`: index of the first token that does not fit; the number of tokens if the
 * end came too soon.
 */
export type RawQuery =
  | { readonly ok: true; readonly root: RawNode }
  | { readonly ok: false; readonly stoppedAt: number };

class FilterGrammar extends EmbeddedActionsParser {
  readonly query: ParserMethod<[], RawNode> = this.RULE('query', () => {
    const nodes = [this.SUBRULE(this.every)];
    this.MANY(() => {
      this.CONSUME(Or);
      nodes.push(this.SUBRULE2(this.every));
    });
    return joined('or', nodes);
  });

  private readonly every: ParserMethod<[], RawNode> = this.RULE('every', () => {
    const nodes = [this.SUBRULE(this.unary)];
    this.MANY(() => {
      this.OPTION(() => this.CONSUME(And));
      nodes.push(this.SUBRULE2(this.unary));
    });
    return joined('and', nodes);
  });

  private readonly unary: ParserMethod<[], RawNode> = this.RULE('unary', () => {
    let negations = 0;
    this.MANY(() => {
      this.OR([{ ALT: () => this.CONSUME(Not) }, { ALT: () => this.CONSUME(Minus) }]);
      negations++;
    });
    let node = this.SUBRULE(this.primary);
    for (; negations > 0; negations--) node = { kind: 'not', node };
    return node;
  });

  private readonly primary: ParserMethod<[], RawNode> = this.RULE('primary', () =>
    this.OR([
      { ALT: (): RawNode => this.SUBRULE(this.group) },
      { ALT: (): RawNode => this.SUBRULE(this.term) },
      { ALT: (): RawNode => ({ kind: 'text', token: this.CONSUME(Text) }) },
    ]),
  );

  private readonly group: ParserMethod<[], RawNode> = this.RULE('group', () => {
    this.CONSUME(LParen);
    const node = this.SUBRULE(this.query);
    this.CONSUME(RParen);
    return node;
  });

  private readonly term: ParserMethod<[], RawNode> = this.RULE('term', (): RawNode => {
    const key = this.CONSUME(Key);
    const values: IToken[] = [];
    const op = this.OR([
      {
        ALT: () => {
          const list = this.CONSUME(ListOp);
          this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => values.push(this.CONSUME(Value)) });
          return list;
        },
      },
      {
        ALT: () => {
          const compare = this.CONSUME(CompareOp);
          values.push(this.CONSUME2(Value));
          return compare;
        },
      },
    ]);
    return { kind: 'term', key, op, values };
  });

  constructor() {
    super(VOCABULARY, { recoveryEnabled: false, maxLookahead: 2 });
    this.performSelfAnalysis();
  }
}

/**
 * The parser, built for the first query: analysing the grammar costs more than any parse. It keeps nothing
 * between two queries.
 */
let built: FilterGrammar | undefined;

/**
 * Reads a query of at least one token. The caller has to bound the nesting, because the grammar is recursive.
 */
export function readQuery(tokens: IToken[]): RawQuery {
  const grammar = (built ??= new FilterGrammar());
  grammar.input = tokens;
  const root = grammar.query();
  const [mistake] = grammar.errors;
  grammar.input = [];
  if (mistake === undefined) return { ok: true, root };
  const stoppedAt = tokens.indexOf(mistake.token);
  return { ok: false, stoppedAt: stoppedAt === -1 ? tokens.length : stoppedAt };
}

function joined(kind: 'and' | 'or', nodes: readonly RawNode[]): RawNode {
  const [first] = nodes;
  return first !== undefined && nodes.length === 1 ? first : { kind, nodes };
}
