/** Error of an expectation that failed; the message is the story, line by line. */
export class ExpectationFailed extends Error {
  override readonly name = 'ExpectationFailed';
  readonly story: readonly string[];

  constructor(story: readonly string[]) {
    super(story.join('\n'));
    this.story = story;
  }
}
