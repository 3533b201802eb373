# How many samples of topic 1, the less urgent, are taken up while one of topic 0 waits; and all of them.
$3 == "enqueue" && $6 == 0 && !($8 in sent) { waiting[$8]; pending++ }
$3 == "send" && $6 == 0 { sent[$8]; if ($8 in waiting) { delete waiting[$8]; pending-- } }
$3 == "send" && $6 == 1 { all++; if (pending > 0) over++ }
END { printf "%d %d\n", over, all }
