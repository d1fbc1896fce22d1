//! What a person at a terminal is told.

/// One line as the session begins.
pub const GREETING: &str = "Tandem speaks UCI here: type 'help' for what can be typed, 'quit' to leave; 'tandem help' lists the other commands.";

/// The answer to `help`.
pub const HELP: &str = "\
Set a position:
  position startpos                      the start position
  position startpos moves e2e4 e7e5      the same after some moves
  position fen FEN [moves ...]           any position
  d                                      show the board
  eval                                   explain the static evaluation
  export_net FILE                        write the network in force to a file
  flip                                   the same position with colours changed
Think:
  go depth 8        go movetime 1000     to a depth, or for some milliseconds
  go nodes 100000   go mate 3            for some positions, or until a mate is found
  go wtime 60000 btime 60000 winc 1000 binc 1000 [movestogo 40]
  go infinite       go ponder ...        until 'stop' (or 'ponderhit')
  go searchmoves e2e4 d2d4 depth 8       among these moves only
  go perft 5                             count the leaves of the game tree
  stop
Other:
  uci                                    who this is, and the options
  setoption name Hash value 64           set an option
  bench [depth]                          the speed of the search, and its signature
  speedtest [threads MiB seconds]        the speed of this machine
  mcts [seconds]                         where Monte Carlo tree search spends its time here
  gpubench [iterations]                  the GPU beside the CPU: dispatch, latency, consistency
  genfens N seed S [book FILE]           random balanced openings
  ucinewgame                             forget the last game
  isready                                answers 'readyok'
  quit";
