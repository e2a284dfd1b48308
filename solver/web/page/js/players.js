// The players of a side. The strengths are those of solver/engines/builtin/perfect.py; tests compare them.

/** By the name in the URL: the label, and the engine on the server. */
export const PLAYERS = {
  person: { label: "Two people", engine: null },
  random: { label: "Beginner", engine: "random" },
  weak: { label: "Easy", engine: "graded:strength=0.35" },
  medium: { label: "Medium", engine: "graded:strength=0.65" },
  strong: { label: "Hard", engine: "graded:strength=0.9" },
  perfect: { label: "Perfect play", engine: "perfect:ties=traps" },
};

/** The engine that moves in place of perfect play where no best move is known. */
export const GUESS = "graded:strength=1";

/** The times to choose from: minutes for each of two people, and the seconds that each move adds. */
export const CLOCKS = ["1", "3", "3,2", "10"];

/** The numbers of a clock. */
export function readClock(clock) {
  const [minutes = 0, increment = 0] = clock.split(",").map(Number);
  return { minutes, increment };
}

/** The clock with these numbers. */
export const writeClock = (minutes, increment) => (increment ? `${minutes},${increment}` : String(minutes || ""));

export const PEOPLE = { X: "person", O: "person" };

/** The players before the server has said which side this page plays. */
export const FRIENDS = { X: "friend", O: "friend" };

/** The level of the first game: people can beat it. */
export const LEVEL = "medium";

/** Whether no engine plays. */
export const isAlone = ({ X, O }) => X === "person" && O === "person";

/** The side of the only person, or null if there are two or none. */
export const personSide = ({ X, O }) => (X === "person" ? (O === "person" ? null : "X") : O === "person" ? "O" : null);

/** The level of the engine, or "person" for two people. */
export const opponentOf = ({ X, O }) => (X === "person" ? O : X);

/** These players, with an opponent in the place of the present one. */
export function withOpponent(players, level) {
  const side = personSide(players) ?? "X";
  return { X: side === "X" ? "person" : level, O: side === "O" ? "person" : level };
}
