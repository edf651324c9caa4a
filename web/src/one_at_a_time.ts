// Questions to the server of which only the last one matters: the case as it is now, the arm as it stands now.

const long = 3000; // ms

/// One request is under way at most. What is asked meanwhile waits, each question in place of the one before it, so that a server
/// that takes seconds does not fill the browser's few connections. An answer comes only to the question that was asked last; one
/// that takes long is given up when there is another question.
export class OneAtATime<Question, Answer> {
  private wish?: Question;
  private busy = false;
  private begun = 0;
  private current?: Question; // that is under way
  private giveUp?: AbortController;

  constructor(
    private readonly request: (question: Question, until: AbortSignal) => Promise<Answer>,
    private readonly take: (answer: Answer | Error) => void,
  ) {}

  /// Whether an answer is still to come.
  get waits(): boolean {
    return this.wish !== undefined;
  }
  ask(question: Question): void {
    this.wish = question;
    if (!this.busy) void this.work();
    else if (question !== this.current && performance.now() - this.begun > long) this.giveUp?.abort();
  }
  /// What was asked is about something that is no more.
  forget(): void {
    this.wish = undefined;
  }

  private async work(): Promise<void> {
    this.busy = true;
    try {
      while (this.wish !== undefined) {
        const question: Question = this.wish;
        this.current = question;
        this.giveUp = new AbortController();
        this.begun = performance.now();
        const answer = await this.request(question, this.giveUp.signal).catch((error: Error) => error);
        if (this.wish !== question) continue;
        this.wish = undefined;
        this.take(answer);
      }
    } finally {
      this.busy = false;
    }
  }
}
