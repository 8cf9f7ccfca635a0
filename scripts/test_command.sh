#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016,SC2034  # conditions are text until claim evaluates them
# Tests the built command from end to end on a tiny scene, in a temporary folder.
# Usage: test_command.sh [COMMAND [TEST...]]: all tests, or those named (streams, owner ...).
# Prints "ok - CLAIM" or "not ok - CLAIM" a line, then "N passed, M failed".
set -uo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
command=$(readlink -f -- "${1:-$here/../build/release/bin/ductile}")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
chmod 755 "$work"
cd "$work" || exit 1
passed=0
failures=0

# claim TEXT CONDITION: the condition is shell, about the last call.
claim() {
    if eval "$2"; then
        printf 'ok - %s\n' "$1"
        passed=$((passed + 1))
    else
        printf 'not ok - %s\n' "$1"
        sed 's/^/    out: /' "$work/out"
        sed 's/^/    err: /' "$work/err"
        printf '    status: %s\n' "$status"
        failures=$((failures + 1))
    fi
}

# call WORD...: runs the command; what came of it is in $status, $work/out, $work/err.
call() {
    timeout 300 "$command" "$@" </dev/null >"$work/out" 2>"$work/err"
    status=$?
}
said() { grep -qF -- "$1" "$work/err"; }
printed() { grep -qF -- "$1" "$work/out"; }

# refused STATUS TEXT WORD...: a call that must fail with one line that says TEXT.
refused() {
    local wanted=$1 text=$2
    shift 2
    call "$@"
    claim "refused with $wanted: ductile $(printf '%s ' "$@" | cut -c 1-60)" \
        '[[ $status == "$wanted" && ! -s $work/out && $(wc -l <"$work/err") == 1 ]] &&
         [[ $(<"$work/err") == "error: "* ]] && said "$text"'
}

write_scene() {
    cat >tiny.json <<'END'
{
  "duration": 0.2, "frame_rate": 30, "step_rate": 240,
  "bodies": {
    "ball": { "solid": { "kind": "sphere", "size": [0.3, 0.3, 0.3], "resolution": 0.05 },
              "mass": 50, "position": [0, 1.2, 0], "velocity": [0, -8, 0] },
    "drum": { "solid": { "kind": "barrel", "resolution": 0.08 }, "thickness": 0.0012,
              "layers": { "dent": {} }, "position": [0, 0.45, 0] }
  },
  "hits": [{ "body": "drum", "frame": 2,
             "dent": { "position": [0.29, 0, 0], "direction": [-1, 0, 0],
                       "depth": 0.05, "radius": 0.1 } }],
  "camera": { "eye": [3, 1.5, 3] },
  "picture": { "width": 64, "height": 36, "samples": 1 }
}
END
}

test_lists() {
    call --help
    claim 'help lists every command' \
        '[[ $status == 0 ]] &&
         [[ $(grep -cE "^  (demo|run|compare|replay|check|info|rig|pose|scenes|materials|schema) " out) == 11 ]]'
    call --version
    claim 'it tells its version' '[[ $status == 0 ]] && grep -qE "^ductile [0-9]+\.[0-9]+" out'
    call scenes
    claim 'the demo is among the built-in scenes' '[[ $status == 0 ]] && grep -q "^demo " out'
    call scenes demo
    claim 'the text of a built-in scene is a scene' \
        'cp out copy.json && "$command" check copy.json >/dev/null'
    call materials
    claim 'steel is among the materials' '[[ $status == 0 ]] && grep -q "^mild-steel " out'
    call schema
    claim 'the schema is JSON' '[[ $status == 0 ]] && /usr/bin/python3 -m json.tool out >/dev/null'
    call schema --rig
    claim 'that of rigs, too' \
        '[[ $status == 0 ]] && /usr/bin/python3 -m json.tool out >/dev/null && printed others_follow'
    call check tiny.json demo
    claim 'good scenes are fine' \
        '[[ $status == 0 ]] && printed "tiny.json: fine" && printed "demo: fine"'
    mkdir -p named/demo named/car
    cd named || exit 1
    call check demo
    claim 'a folder of its name hides no built-in scene' '[[ $status == 0 ]] && printed "demo: fine"'
    refused 1 'handel_count' rig car --set handel_count=4
    cd .. || exit 1
}

# A cube of two parts, a lid on a box, in centimetres; its name has spaces.
write_mesh() {
    mkdir -p meshes
    cat >'meshes/a box.obj' <<'END'
# File units = centimeters
v -50 -50 -50
v 50 -50 -50
v 50 50 -50
v -50 50 -50
v -50 -50 50
v 50 -50 50
v 50 50 50
v -50 50 50
o box
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 4 1 5 8
o lid
f 3 4 8 7
END
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >meshes/broken.obj
    cat >meshes/scene.json <<'END'
{ "duration": 0.1,
  "bodies": { "box": { "mesh": "a box.obj", "thickness": 0.002, "position": [0, 0.6, 0],
                       "mesh_options": { "join_parts": true }, "layers": { "dent": {} } } },
  "picture": { "width": 64, "height": 36, "samples": 1 } }
END
}

test_meshes() {
    call info 'meshes/a box.obj'
    claim 'info tells what a mesh file is' \
        '[[ $status == 0 && ! -s err ]] && printed "meshes/a box.obj" && printed "0.01 m" &&
         printed "1 x 1 x 1 m" && printed "lid (deform, 2 triangles)"'
    call info 'meshes/a box.obj' --json --no-collider --set join_parts=true --set fill=solid
    claim 'and as JSON, read another way' \
        '[[ $status == 0 ]] && /usr/bin/python3 -c "import json
report = json.load(open(\"out\"))
assert report[\"surface\"][\"closed\"] == 1 and report[\"surface\"][\"points\"] == 8
assert abs(report[\"surface\"][\"volume\"] - 1) < 1e-9
assert abs(report[\"body\"][\"mass_kg\"] - 7850) < 1e-3"'
    call info 'meshes/a box.obj' --no-collider --picture box.png
    claim 'and as a picture' '[[ $status == 0 && $(png_size box.png) == "640 360" ]]'
    refused 1 'line 4: the face "1 2 9" names a vertex that does not exist' info meshes/broken.obj
    refused 1 'meshes/none.obj' info meshes/none.obj
    refused 1 'scale' info 'meshes/a box.obj' --set scal=1
    refused 1 "'box.jpg' must end in .png" info 'meshes/a box.obj' --picture box.jpg
    refused 1 "'box.obj' must end in .glb" cut 'meshes/a box.obj' -o box.obj
    for verb in info cut rig; do
        call "$verb" 'meshes/a box.obj' --set scal=1 --set flil=solid
        claim "every wrong --set is told: ductile $verb" \
            '[[ $status == 1 && $(grep -c "^error: --set " "$work/err") == 2 ]]'
    done
    printf 'newmtl a\nmap_Kd damaged.png\n' >meshes/textured.mtl
    printf 'mtllib textured.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\n%s' \
        $'f 1/1 3/1 2/1\nf 1/1 2/1 4/1\nf 1/1 4/1 3/1\nf 2/1 3/1 4/1\n' >meshes/textured.obj
    printf '\x89PNG\r\n\x1a\nnot a picture' >meshes/damaged.png
    call info meshes/textured.obj --picture textured.png
    claim 'a picture without its damaged texture says so' '[[ $status == 0 ]] && said "note: "'
    call press meshes/textured.obj box --rigid-at 0,-0.4,0 -o textured.png
    claim 'that of a press, too' '[[ $status == 0 ]] && said "note: "'
    printf 'newmtl a\nmap_Kd none.png\n' >meshes/textured.mtl
    call press meshes/textured.obj box --rigid-at 0,-0.4,0 -o textured.glb
    claim 'a press says what its files lack' \
        '[[ $status == 0 ]] && said "note: meshes/textured.obj: " && said "none.png"'
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\n%s' \
        $'f 1/1 3/1 2/1\nf 1/2 2/1 4/1\nf 1/1 4/1 3/1\nf 2/1 3/1 4/1\n' >meshes/seam.obj
    call info meshes/seam.obj
    claim 'info counts vertices as the file does' 'printed "OBJ, 4 vertices (5 with seams split)"'
    call info --help
    claim 'help shows no values of its own making' '! printed "{false}"'
    refused 1 'no material is called' info 'meshes/a box.obj' --material cheese
    call run meshes/scene.json --out mesh-out
    claim 'a scene finds the meshes beside it' '[[ $status == 0 && -s mesh-out/scene.glb ]]'
    call replay mesh-out/journal.json --out mesh-replay.glb
    claim 'and a journal elsewhere finds them too' '[[ $status == 0 && -s mesh-replay.glb ]]'
    refused 1 '#/bodies/box/mesh: ' check meshes/scene.json --set bodies.box.mesh=none.obj
    refused 1 '#/bodies/box/mesh: meshes/broken.obj: line 4' check meshes/scene.json \
        --set bodies.box.mesh=broken.obj
}

film_frames() {
    ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$1"
}
png_size() {
    /usr/bin/python3 -c 'import struct, sys; b = open(sys.argv[1], "rb").read(24)
assert b[:8] == b"\x89PNG\r\n\x1a\n"; print(*struct.unpack(">II", b[16:]))' "$1"
}
state_hash() { grep -o '"state_hash": "[0-9a-f]*"' "$1"; }

test_run() {
    local folder='results of ünï' name
    call run tiny.json --out "$folder" --max-frames 4
    claim 'a run ends well and names what to open' \
        '[[ $status == 0 && $(grep -c "^  $folder/" out) == 6 && $(ls "$folder" | wc -l) == 6 ]] &&
         grep "^  " out | sed "s/^  //" | while read -r f; do [[ -s $f ]] || exit 1; done'
    claim 'its progress goes to stderr' 'said simulate && ! printed simulate'
    claim 'the film has the frames asked for' '[[ $(film_frames "$folder/tiny.mp4") == 4 ]]'
    claim 'the poster has the size asked for' '[[ $(png_size "$folder/poster.png") == "64 36" ]]'
    claim 'the GLB is one' '[[ $(head -c 4 "$folder/tiny.glb") == glTF ]]'
    claim 'nothing unfinished is left' '[[ -z $(find "$folder" -name "*.part*") ]]'

    call run tiny.json -o single --max-frames 4 --set bodies.ball.velocity=0,0,0 --set outputs.film=false
    claim 'one hit is not called hits' '[[ $status == 0 ]] && printed "1 hit. Open:"'

    call run tiny.json -q -o again --max-frames 4 --set threads=1
    claim 'a quiet run says nothing' '[[ $status == 0 && ! -s out && ! -s err ]]'
    call run tiny.json -q -o once-more --max-frames 4 --set threads=8
    claim 'a second run and any number of threads give the same state' \
        '[[ $(state_hash "$folder/report.json") == "$(state_hash again/report.json)" &&
            $(state_hash again/report.json) == "$(state_hash once-more/report.json)" &&
            -n $(state_hash again/report.json) ]]'
    for name in tiny.glb poster.png; do
        claim "and the same bytes of $name" \
            'cmp "$folder/$name" "again/$name" && cmp "again/$name" "once-more/$name"'
    done
    claim 'and the same journal but for the number of threads' \
        'diff <(grep -v "\"threads\"" again/journal.json) \
              <(grep -v "\"threads\"" once-more/journal.json) >/dev/null'
}

# How many of the vertices in a GLB have dent depths.
glb_depths() {
    /usr/bin/python3 -c 'import json, struct, sys
data = open(sys.argv[1], "rb").read()
size = struct.unpack("<I", data[12:16])[0]
file = json.loads(data[20 : 20 + size])
accessors = [p["attributes"].get("_DENT_DEPTH") for m in file["meshes"] for p in m["primitives"]]
print(sum(file["accessors"][a]["count"] for a in accessors if a is not None))' "$1"
}

test_damage() {
    local quick=(--max-frames 4 --set outputs.film=false --set outputs.poster_time=0.1)
    call run tiny.json -q -o marked "${quick[@]}" --set outputs.ply=true
    claim 'a damaged body has its damage in the GLB, and a PLY of its own; others have none' \
        '[[ $status == 0 && $(glb_depths marked/tiny.glb) -gt 100 ]] &&
         [[ $(ls marked/*.ply) == marked/drum.ply ]]'
    claim 'the PLY names the damage' \
        'head -c 1000 marked/drum.ply | grep -aq "^property float dent_depth$" &&
         head -c 1000 marked/drum.ply | grep -aq "^property float scratch_z$"'
    claim 'and the report lists it' 'grep -q "\"drum.ply\"" marked/report.json'
    call info marked/drum.ply --no-collider
    claim 'the PLY is a mesh file' '[[ $status == 0 ]] && printed "drum.ply"'
    call run tiny.json -q -o unmarked "${quick[@]}" --set outputs.damage=false
    claim 'without outputs.damage the GLB has none' \
        '[[ $status == 0 && $(glb_depths unmarked/tiny.glb) == 0 ]] &&
         [[ -z $(find unmarked -name "*.ply") ]]'
    local by
    for by in depth strain scratch; do
        call run tiny.json -q -o "by-$by" "${quick[@]}" --set "picture.colour_by=$by"
        claim "pictures can show $by" \
            '[[ $status == 0 ]] && ! cmp -s "by-$by/poster.png" marked/poster.png'
    done
    claim 'each in its own way' \
        '! cmp -s by-depth/poster.png by-strain/poster.png &&
         ! cmp -s by-depth/poster.png by-scratch/poster.png'
    refused 1 "none, depth, strain, scratch" run tiny.json --set picture.colour_by=dirt
    call run --help
    claim 'the help of run tells how to see damage' 'printed "picture.colour_by"'
}

test_replay() {
    call run tiny.json -q -o whole --set outputs.film=false
    call replay whole/journal.json
    claim 'a replay gives the same bits' '[[ $status == 0 ]] && printed "the same bits"'
    local whole
    whole=$(grep -o '[0-9a-f]\{16\}' out)
    call replay whole/journal.json --list
    claim 'a replay lists hits as it takes them out' \
        '[[ $status == 0 ]] && grep -qE "^drum:1 +[0-9.]+ s +dent +[0-9.e-]+ m at " "$work/out"'
    call run tiny.json -q -o early --set outputs.film=false --max-frames 1 --set 'bodies.ball.position=[0,5,0]'
    call replay early/journal.json --list
    claim 'a journal without hits says so' '[[ $status == 0 ]] && printed "no hits"'
    call replay whole/journal.json --remove drum:1
    claim 'without a hit the shape is another' \
        '[[ $status == 0 ]] && ! printed "$whole" && ! printed "same bits"'
    call replay whole/journal.json --time 0
    local rest
    rest=$(grep -o '[0-9a-f]\{16\}' out)
    call replay whole/journal.json --repair 1
    claim 'repaired it is as it was at the start' '[[ -n $rest ]] && printed "$rest"'
    call replay whole/journal.json -o still.png
    claim 'a still is a picture' '[[ $status == 0 && $(png_size still.png) == "64 36" ]]'
    call replay whole/journal.json -o still.glb
    claim 'or a GLB' '[[ $status == 0 && $(head -c 4 still.glb) == glTF ]]'

    refused 1 'only .glb and .png' replay whole/journal.json -o still.txt
    refused 1 'BODY:ID' replay whole/journal.json --remove drum
    refused 1 'has no hit 99 (it has' replay whole/journal.json --remove drum:99
    refused 1 "did you mean 'drum'?" replay whole/journal.json --remove durm:1
    refused 1 "is not a number from 0" replay whole/journal.json --time -1
    call replay whole/journal.json --time 99
    claim 'a time after the end is told of' '[[ $status == 0 ]] && said "the run ended at 0.2000 s"'
    call replay whole/journal.json --time 0.01
    claim 'hits that are still to come are not counted' 'printed "0 hits, shapes at 0.0100 s"'
    refused 1 'is not a number' replay whole/journal.json --time nan
    refused 1 'from 0 to 1' replay whole/journal.json --repair nan
    head -c 900 whole/journal.json >cut.json
    refused 1 'cut.json:' replay cut.json
    sed 's/"ductile_journal": 1/"ductile_journal": 2/' whole/journal.json >newer.json
    refused 1 '/ductile_journal' replay newer.json
    sed 's/^    "drum": {/    "durm": {/' whole/journal.json >named.json
    call replay named.json
    claim 'a body by a wrong name is refused' '[[ $status == 1 ]] && said "no such body"'
    sed 's/"shape_hash": "[0-9a-f]*"/"shape_hash": "0000000000000000"/' whole/journal.json \
        >other.json
    call replay other.json
    claim 'shapes other than the run ended with are told' '[[ $status == 2 ]] && said "ended with"'
}

test_bad_input() {
    refused 1 'nothing to do'
    refused 1 "did you mean 'run'?" rnu tiny.json
    refused 1 'no option --colour' --colour
    refused 1 'scene is required' run
    refused 1 "did you mean 'demo'?" run dmeo
    refused 1 "did you mean 'stack'?" scenes stakc
    refused 1 'is not a number' run tiny.json --max-frames 0
    refused 1 'is empty' run tiny.json --out ''
    refused 1 'sets nothing' run tiny.json --set gravity
    refused 1 "--set gravty" run tiny.json --set gravty.y=1
    refused 1 'expected a number in s, found "nan"' run tiny.json --set duration=nan
    refused 1 'expected a number in kg, found "heavy"' run tiny.json --set bodies.ball.mass=heavy
    refused 1 'cannot read the value: nan is not a number' run tiny.json --set 'gravity=[0,nan,0]'
    refused 1 'did you mean --draft?' run tiny.json --drat
    refused 1 '--draft takes no value' run tiny.json --draft=3
    refused 1 '--picture needs FILE' info x.obj --picture
    refused 1 '--eye takes 3 values, found 2' info x.obj --eye 1,2
    refused 1 '--out takes 1 value, found 2' run tiny.json -o a -o b
    refused 1 "'more' is not expected" run tiny.json more
    refused 1 "did you mean 'sphere'?" press spere box -o x.obj
    refused 1 "did you mean 'drum'?" plot tiny.json drmu -o x.svg
    refused 1 "'more' is not expected" run tiny.json more words
    refused 1 'did you mean --max-frames?' run tiny.json --max-frmes=3
    refused 1 'outside the range' run tiny.json --set picture.width=1e9
    refused 1 'cannot be the name of a file' run tiny.json --set name=../up
    refused 1 'too many points' run tiny.json -q -o bad --set bodies.drum.solid.resolution=1e-9
    refused 1 'is a folder' run "$work"
    refused 1 'there is no file' check nonesuch.json
    printf '{ "bodies": {} }' >empty.json
    refused 1 'there is no body' run empty.json
    printf '{ "bodies": { "a": { "position": [NaN, 0, 0] } } }' >nan.json
    refused 1 'nan.json:1:35: NaN is not a number that JSON has' run nan.json
    printf 'name: tiny\nbodies:\n  ball: {}\n' >scene.yaml
    refused 1 'scene.yaml:1:1: is not JSON' check scene.yaml
    printf '{ "bodis": { "a": {} } }' >misspelt.json
    refused 1 "did you mean 'bodies'?" check misspelt.json
    printf '{ "bodies": { "a": { "position": [0, 2, 0], "rotation":
        { "axis": [0, 1, 0], "angle_deg": 1e308 } } } }' >turned.json
    refused 1 '#/bodies/a/rotation/angle_deg' check turned.json
    claim 'bad input leaves no film behind' '[[ -z $(find . -path "./bad/*" -o -name "up*") ]]'
}

test_press() {
    local points ball=(press sphere box --soft-size 1,1,1 --soft-at 0,0.4,0 --rigid-size 3,1,3
        --rigid-at 0,-0.5,0 --resolution 0.1)
    call "${ball[@]}" --json -o pressed.obj
    claim 'a ball pressed onto a box lies on it and keeps its volume, read another way' \
        '[[ $status == 0 && ! -s err ]] && /usr/bin/python3 -c "import json
report = json.load(open(\"out\"))
assert report[\"zones\"] == 1 and report[\"fallbacks\"] == 0
assert abs(report[\"volume_change_m3\"]) < 0.02 * report[\"displaced_volume_m3\"]
heights = [float(l.split()[2]) for l in open(\"pressed.obj\") if l.startswith(\"v \")]
assert min(heights) > -1e-6 and sum(abs(h) < 1e-6 for h in heights) >= report[\"contact_points\"]"'
    call "${ball[@]}" --show-contact -o pressed.glb
    claim 'and as GLB, painted' '[[ $status == 0 && $(head -c 4 pressed.glb) == glTF ]]'
    call "${ball[@]}" -o pressed.ply
    claim 'and as PLY' '[[ $status == 0 && $(head -c 3 pressed.ply) == ply ]]'
    refused 1 'must end in' "${ball[@]}" -o pressed.txt
    refused 1 'bulge' "${ball[@]}" --set buldge=2 -o x.obj
    refused 1 'fade_from must be at least bulge_at' "${ball[@]}" --set fade_from=0.3 -o x.obj
    refused 1 'none.obj' press none.obj box -o x.obj
    refused 2 'tiny.json' "${ball[@]}" -o tiny.json/x.obj
    printf '{ "bulge": 0, "stiffness": 0.2 }' >soft.json
    call "${ball[@]}" --options soft.json --set bulge=0.5 --json -o pressed.obj
    claim 'options come from a file, too' '[[ $status == 0 ]] && grep -q "\"stiffness_m\": 0.2" out'
    printf '{ "buldge": 0 }' >wrong.json
    refused 1 'wrong.json#/buldge' "${ball[@]}" --options wrong.json -o x.obj
    test_press_extras
    test_plot
    test_segments
    test_map
    test_press_film
    test_press_scene
}

# A replay puts bodies with keys where they are at its time, and presses there.
test_press_scene() {
    cat >squash.json <<'END'
{
  "duration": 0.4, "frame_rate": 10, "step_rate": 10, "ground": { "is_on": false },
  "bodies": {
    "ball": { "solid": { "kind": "sphere", "size": [1, 1, 1], "resolution": 0.1 }, "motion": "kinematic",
              "keys": [ { "time": 0, "position": [0, 0.6, 0] }, { "time": 0.2, "position": [0, 0.4, 0] },
                        { "time": 0.4, "position": [0, 0.6, 0] } ] },
    "floor": { "solid": { "kind": "box", "size": [3, 1, 3] }, "motion": "static", "position": [0, -0.5, 0] }
  },
  "press": [ { "soft": "ball", "by": ["floor"], "maps": { "bulge": { "file": "none.txt" } } } ],
  "outputs": { "player": false, "film": false, "poster": false }
}
END
    for ((i = 0; i < points; ++i)); do echo 0.5; done >none.txt
    call run squash.json -q -o squash
    claim 'a scene reads its painted map' '[[ $status == 0 && -s squash/squash.glb ]]'
    local middle
    call replay squash/journal.json --time 0.2 -o middle.glb
    middle=$status
    call replay squash/journal.json -o end.glb
    claim 'a replay presses bodies where their keys have them' \
        '[[ $middle == 0 && $status == 0 ]] && (($(wc -c <middle.glb) != $(wc -c <end.glb)))'
    mv none.txt gone.txt
    call replay squash/journal.json -o end.glb
    claim 'and says which map is missing' \
        '[[ $status != 0 ]] && said "squash/journal.json#/scene/press/0/maps/bulge"'
}

test_plot() {
    printf '0,0\n' >points.csv
    call plot dent-ball front -o cut.svg --cut z --reference points.csv --set duration=0.1
    claim 'a cut across a body is plotted beside points' \
        '[[ $status == 0 && $(grep -c "<path" cut.svg) == 2 && $(grep -c "<circle" cut.svg) == 1 ]]'
    call plot dent-ball front -o offset.svg --set duration=0.1
    claim 'an offset is plotted over time' \
        '[[ $status == 0 && $(grep -c "<polyline" offset.svg) == 3 ]]'
    for wrong in q z=far z=1e999; do
        call plot dent-ball front -o cut.svg --cut "$wrong" --set duration=0.1
        claim "a cut across $wrong is refused" '[[ $status == 1 ]] && said "z=0.2"'
    done
}

test_segments() {
    printf '%s' '{"duration": 0.1, "bodies": {"can": {"solid": {"kind": "box", "resolution": 0.1},
        "thickness": 0.002, "position": [0, 0.8, 0], "velocity": [0, -12, 0],
        "rotation": {"axis": [1, 0, 1], "angle_deg": 20}, "layers": {"shell": {"sub_shells": 24}}},
        "ball": {"solid": {"kind": "sphere"}, "position": [3, 2, 0]}}}' >shell.json
    call segments shell.json --body can --json --picture moved.png
    claim 'patches of a shell that moved are listed, with shift and turn, and drawn' \
        '[[ $status == 0 && -s moved.png ]] &&
         python3 -c "import json, sys; r = json.load(sys.stdin); m = r[\"moved\"]
assert 0 < len(m) <= r[\"patches\"]
assert max(sum(x * x for x in p[\"shift_m\"]) for p in m) > 1e-4" <"$work/out"'
    call segments shell.json --body can --set 'bodies.can.position=[0,5,0]'
    claim 'patches that nothing struck have not moved' '[[ $status == 0 ]] && printed "none of its"'
    call segments shell.json --body ball
    claim 'a body without patches is refused' '[[ $status == 1 ]] && said "layer `shell`"'
    call segments shell.json --body can --count 3
    claim 'how many patches a shell has is its own matter' '[[ $status == 1 ]] && said "--count"'
}

test_map() {
    call map torus -q -o stages
    claim 'what a body presses in is drawn' \
        '[[ $status == 0 && -s stages/maps.png && $(grep -c "<text" stages/curves.svg) -gt 12 ]]'
    printf 'r,dr,dz\n0,0,2\n0.1,1,1\n0.2,0,0\n' >vectors.csv
    call map vectors.csv -o vectors
    claim 'a map of vectors is drawn' '[[ $status == 0 && -s vectors/maps.png ]] && printed "sideways"'
    refused 1 'is for a projectile' map vectors.csv --slant 20 -o x
    refused 1 'the axis has no length' map sphere --turn 0,0,0,20 -o x
    printf 'r,dr\n0,0\n' >wrong.csv
    refused 1 'wrong.csv: line 1' map wrong.csv -o x
    refused 1 'none.obj' map none.obj -o x
}

test_press_extras() {
    printf 'x,y\n0.5,0.4\n-0.5,0.4\n' >points.csv
    call "${ball[@]}" -q --profile cut.svg --reference points.csv -o pressed.obj
    claim 'a profile is plotted beside points' \
        '[[ $status == 0 && $(grep -c "<circle" cut.svg) == 2 && $(grep -c "<path" cut.svg) == 3 ]]'
    echo '0,-0.25' >points.csv
    call "${ball[@]}" -q --profile cut.svg --reference points.csv -o pressed.obj
    claim 'and says how far they are from the cut' 'grep -q "off by 0.25 m on average" cut.svg'
    points=$(grep -c '^v ' pressed.obj)
    for ((i = 0; i < points; ++i)); do echo 0; done >none.txt
    call "${ball[@]}" --json --bulge-map none.txt -o pressed.obj
    claim 'a map of zeros leaves no bulge' \
        '[[ $status == 0 ]] && /usr/bin/python3 -c "import json
report = json.load(open(\"out\"))
assert report[\"volume_change_m3\"] < -0.99 * report[\"displaced_volume_m3\"]"'
    for extra in '--detail 3' --refine --proxy '--share 0.5'; do
        # shellcheck disable=SC2086  # a flag and its value
        call "${ball[@]}" -q $extra -o pressed.obj
        claim "press does $extra" '[[ $status == 0 && ! -s err ]]'
    done
    echo '{ "keys": [ { "time": 1, "bulge": 0 }, { "time": 0, "bulge": 1 } ] }' >back.json
    refused 1 'back.json#/keys/1/time: keys come by ascending time' "${ball[@]}" --keys back.json -o x.obj
    echo '{ "keys": [ { "time": 1 } ] }' >bare.json
    refused 1 'bare.json#/keys/0: a key says nothing' "${ball[@]}" --keys bare.json -o x.obj
    refused 1 '--set wall: a wall goes along' "${ball[@]}" --set wall=0.1 -o x.obj
    refused 1 'one frame' "${ball[@]}" --profile x.svg -o x.mp4
    refused 1 'no vertex colours' "${ball[@]}" --bulge-map red -o x.obj
    refused 1 'character 5' "${ball[@]}" --bulge-map '=1 + w' -o x.obj
    refused 1 'not in' "${ball[@]}" --stiffness-map '=x' -o x.obj
    call "${ball[@]}" --json --bulge-map '=0' -o formula.obj
    call "${ball[@]}" --json --bulge-map none.txt -o pressed.obj
    claim 'a formula paints as a file of its numbers does' \
        '[[ $(grep "^v " formula.obj) == "$(grep "^v " pressed.obj)" ]]'
}

# A cube with a seam around every side, and a cache of its own vertices that begins elsewhere.
test_press_vertices() {
    /usr/bin/python3 -c 'import struct
places = [(x, y, z) for z in (-1, 1) for y in (1, 3) for x in (-1, 1)]
with open("seams.obj", "w") as f:
    for p in places: print("v", *p, file=f)
    for uv in ("0 0", "1 0", "1 1", "0 1"): print("vt", uv, file=f)
    for q in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)):
        print("f", *("%d/%d" % (v, i + 1) for i, v in enumerate(q)), file=f)
with open("seams.pc2", "wb") as f:
    f.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 8, 0, 1, 2))
    for height in (5, -0.1):
        for p in places: f.write(struct.pack("<3f", p[0], p[1] + height, p[2]))'
    call press seams.obj box --rigid-size 6,2,6 --soft-at 0,-0.1,0 -q -o same.obj
    claim 'a press keeps the number of vertices' '[[ $(grep -c "^v " same.obj) == 8 ]]'
    call press seams.obj box --rigid-size 6,2,6 --soft-cache seams.pc2 -q -o same.pc2
    claim 'and takes a cache of the vertices of the file, and gives one' \
        '[[ $status == 0 && $(od -An -t d4 -j 16 -N 4 same.pc2) -eq 8 ]]'
}

# A cache made by a program of its own, pressed, and read back by another.
test_press_film() {
    call press sphere box --soft-size 1,1,1 --soft-at 0,2,0 --rigid-size 3,1,3 --resolution 0.1 -o ball.obj
    /usr/bin/python3 -c 'import struct
points = [[float(x) for x in l.split()[1:4]] for l in open("ball.obj") if l.startswith("v ")]
with open("ball.pc2", "wb") as f:
    f.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, len(points), 0, 1, 5))
    for height in (0, -1.06, -1.1, -1.08, 0):
        for p in points: f.write(struct.pack("<3f", p[0], p[1] + height, p[2]))'
    local film=(press ball.obj box --soft-cache ball.pc2 --rigid-size 3,1,3)
    call "${film[@]}" --json -o pressed.pc2
    claim 'a cache is pressed frame by frame into a cache, read another way' \
        '[[ $status == 0 && ! -s err ]] && /usr/bin/python3 -c "import json, struct
report, data = json.load(open(\"out\"))[0], open(\"pressed.pc2\", \"rb\").read()
assert [f[\"frame\"] for f in report[\"frames\"]] == [1, 2, 3] and report[\"fallbacks\"] == 0
count, samples = struct.unpack_from(\"<i\", data, 16)[0], struct.unpack_from(\"<i\", data, 28)[0]
assert samples == 5 and len(data) == 32 + 60 * count
low = [min(struct.unpack_from(\"<%df\" % (3 * count), data, 32 + 12 * count * s)[1::3]) for s in range(5)]
assert all(h > 0.5 - 1e-6 for h in low), low"'
    call "${film[@]}" --json --frames 2 -o alone.obj
    claim 'one of its frames goes to a mesh' '[[ $status == 0 ]] && grep -q "\"zones\": 1" out'
    call "${film[@]}" -q -o film.glb
    claim 'and all of them to a GLB' '[[ $status == 0 && $(head -c 4 film.glb) == glTF && ! -s out ]]'
    test_press_film_ways
    refused 1 'cannot hold 5 frames' "${film[@]}" -o x.png
    refused 1 'does not name frames' "${film[@]}" --frames 3:9 -o x.glb
    test_press_vertices
    refused 1 'points are not those' press sphere box --soft-cache ball.pc2 -o x.glb
    head -c 50 ball.pc2 >cut.pc2
    refused 1 'cut.pc2' press ball.obj box --soft-cache cut.pc2 -o x.glb
    refused 1 'no file to watch' press sphere box --watch -o x.glb
    "$command" "${film[@]}" --frames 2 --options soft.json --watch -o watched.obj >out 2>err &
    local pid=$!
    wait_until '[[ $(grep -c watching err) == 1 ]]'
    local first
    first=$(cksum <watched.obj)
    printf '{ "bulge": 3 }' >soft.json
    wait_until '[[ $(grep -c watching err) == 2 ]]'
    claim 'a watched press is done again with new options' '[[ $(cksum <watched.obj) != "$first" ]]'
    first=$(cksum <watched.obj)
    # An editor saves: a new file in the place of the old one.
    /usr/bin/python3 -c 'print(*(l if not l.startswith("v ") else "v {} {} {}\n".format(*(1.02 * float(x) for x in l.split()[1:4]))
        for l in open("ball.obj")), sep="", end="")' >moved.obj
    mv moved.obj ball.obj
    wait_until '[[ $(grep -c watching err) == 3 ]]'
    claim 'and with a mesh that an editor saved' '[[ $(grep -c watching err) == 3 ]]'
    kill -TERM "$pid"
    wait "$pid"
    status=$?
    claim 'until a signal ends it' '[[ $status == 143 ]]'
}

# Every way to press works over a cache, frame by frame with the bits of the frame alone.
test_press_film_ways() {
    local way
    for way in '--detail 3' '--proxy' '--share 0.5' '--proxy-from 0,-1,0' '--bulge-map =1+x'; do
        # shellcheck disable=SC2086  # a flag and its value
        call "${film[@]}" -q $way -o ways.pc2
        # shellcheck disable=SC2086
        call "${film[@]}" -q $way --frames 2 -o alone.pc2
        claim "a cache is pressed with $way" '[[ $status == 0 ]] && /usr/bin/python3 -c "
film, alone, plain = (open(name, \"rb\").read() for name in (\"ways.pc2\", \"alone.pc2\", \"pressed.pc2\"))
size = len(alone) - 32
assert film[32 + 2 * size : 32 + 3 * size] == alone[32:]
assert len(film) == len(plain)
assert film[32 : 32 + size] == plain[32 : 32 + size]"'
    done
    call "${film[@]}" -q --refine --set stiffness=0.02 -o fine.pc2
    claim 'a refined cache comes with its mesh' '[[ $status == 0 ]] && /usr/bin/python3 -c "import struct
data = open(\"fine.pc2\", \"rb\").read()
count = sum(l.startswith(\"v \") for l in open(\"fine.obj\"))
assert struct.unpack_from(\"<i\", data, 16)[0] == count and len(data) == 32 + 60 * count"'
}

# wait_until CONDITION: at most ten seconds.
wait_until() {
    for ((i = 0; i < 100; ++i)); do
        eval "$1" && return
        sleep 0.1
    done
}

test_player() {
    local only=(--max-frames 3 --set outputs.film=false --set outputs.poster=false)
    call run tiny.json -o played "${only[@]}"
    claim 'the player comes first among the files to open' \
        '[[ $status == 0 && $(head -c 15 played/index.html) == "<!DOCTYPE html>" ]] &&
         [[ $(grep -m 1 "^  " out) == "  played/index.html" ]]'
    call run tiny.json -q -o unplayed "${only[@]}" --set outputs.player=false
    claim 'a scene can do without it' '[[ $status == 0 && ! -e unplayed/index.html ]]'
    (
        trap '' XFSZ
        ulimit -f 20
        exec "$command" run tiny.json -q -o crammed "${only[@]}"
    ) >out 2>err
    status=$?
    claim 'a full disk is told of, and leaves no half of a player' \
        '[[ $status == 2 && ! -e crammed/index.html && -z $(find crammed -name "*.part*") ]] &&
         said "cannot write" && said "crammed/index.html"'
}

test_formats() {
    local all=(--set outputs.film=false --set outputs.poster=false --set outputs.usd=true)
    local kind
    for kind in pc2 mdd obj_sequence ply_sequence ply csv; do all+=(--set "outputs.$kind=true"); done
    call run tiny.json -o all --max-frames 5 "${all[@]}"
    claim 'every format is written, listed and in the report' \
        '[[ $status == 0 && -s all/tiny.usda && -s all/tiny_pc2/drum.pc2 ]] &&
         [[ -s all/tiny_mdd/ball.mdd && -s all/tiny_csv/bodies.csv ]] &&
         [[ $(find all/tiny_obj -name "*.obj" | wc -l) == 5 ]] &&
         [[ $(find all/tiny_ply -name "*.ply" | wc -l) == 5 ]] &&
         printed "all/tiny.usda" && printed "all/tiny_obj" && grep -q "\"tiny_csv\"" all/report.json'
    claim 'each has a time of its own in the report, PLY files and their sequence, too' \
        '(($(grep -cE "\"(obj_sequence|ply_sequence|ply)\": [0-9.e-]+" all/report.json) == 3))'
    call run tiny.json -q -o all --max-frames 3 "${all[@]}" --set outputs.usd_split=bodies
    claim 'a shorter run leaves no frames of a longer one' \
        '[[ $status == 0 && $(find all/tiny_obj -name "*.obj" | wc -l) == 3 ]] &&
         [[ -s all/tiny_usd/drum.usda && -z $(find all -name "*.part*") ]]'
    : >all/tiny_obj/notes.txt
    refused 2 'notes.txt' run tiny.json -q -o all --max-frames 3 "${all[@]}"
    # A limit on files is a disk that fills up: what does not fit fails.
    (
        trap '' XFSZ
        ulimit -f 100
        exec "$command" run tiny.json -q -o full --max-frames 5 "${all[@]}" --set outputs.glb=false \
            --set outputs.player=false
    ) >out 2>err
    status=$?
    claim 'a full disk is told of, and leaves neither stage nor sequence' \
        '[[ $status == 2 && ! -e full/tiny.usda && ! -e full/tiny_obj ]] &&
         [[ -z $(find full -name "*.part*") ]] && said "cannot write" && said "full/tiny.usda"'
    (
        trap '' XFSZ
        ulimit -f 100
        exec "$command" run tiny.json -q -o full --max-frames 5 --set outputs.obj_sequence=true \
            --set outputs.glb=false --set outputs.film=false --set outputs.poster=false \
            --set outputs.player=false
    ) >out 2>err
    status=$?
    claim 'nor half a sequence, and the error names the file that it would have been' \
        '[[ $status == 2 && ! -e full/tiny_obj && -z $(find full -name "*.part*") ]] &&
         said "full/tiny_obj/tiny.0000.obj"'
    refused 1 'auto, one, bodies' run tiny.json --set outputs.usd_split=many
    refused 1 'world, body' run tiny.json --set outputs.cache_space=moon
}

test_bad_places() {
    refused 2 'tiny.json' run tiny.json -q --out tiny.json
    PATH=/nonexistent "$command" run tiny.json -q -o noff >out 2>err
    status=$?
    claim 'without ffmpeg it says so before the work' \
        '[[ $status == 2 && -z $(ls noff) ]] && said "no ffmpeg"'
    PATH=/nonexistent "$command" press sphere box --frames 0 -o noff.mp4 >out 2>err
    status=$?
    claim 'so does a press' '[[ $status == 1 && ! -s out ]] && said "no ffmpeg"'
    if [[ $(id -u) == 0 ]] && type -P setpriv >/dev/null; then
        mkdir closed
        setpriv --reuid=65534 --regid=65534 --clear-groups "$command" run "$work/tiny.json" -q \
            -o closed >out 2>err
        status=$?
        claim 'a folder of somebody else is refused before the work' \
            '[[ $status == 2 && -z $(ls closed) ]] && said "cannot write into the folder"'
    fi
    if [[ -c /dev/full ]]; then
        "$command" schema >/dev/full 2>err
        status=$?
        claim 'a full disk behind stdout is told' '[[ $status == 2 ]] && said "No space left"'
    fi
}

# stopped SIGNAL: starts a long run, ends it while it films, waits for it; $status is its own.
stopped() {
    rm -rf long
    # In the background of a script SIGINT would be ignored from the start.
    /usr/bin/python3 - "$1" "$command" >out 2>err <<'END'
import glob, signal, subprocess, sys, time
run = subprocess.Popen([sys.argv[2], "run", "tiny.json", "-q", "-o", "long", "--set", "duration=20",
                        "--set", "outputs.glb=false", "--set", "step_rate=30"],
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
limit = time.monotonic() + 60
while not glob.glob("long/*.part.mp4") and run.poll() is None and time.monotonic() < limit:
    time.sleep(0.01)
run.send_signal(getattr(signal, "SIG" + sys.argv[1]))
sys.exit(run.wait() % 256)
END
    status=$?
}

test_interruption() {
    stopped KILL
    claim 'a killed run leaves no film that is not whole, nor a report' \
        '[[ $status == $((256 - 9)) && ! -e long/tiny.mp4 && ! -e long/report.json ]]'
    mkdir -p long
    : >long/tiny.4194999.part.mp4 # of no process: beyond the largest number of one
    call run tiny.json -q -o long --max-frames 2
    sleep 0.1
    claim 'the next run clears away what it left unfinished' \
        '[[ $status == 0 && -s long/tiny.mp4 && -z $(find long -name "*.part*") ]]'
    stopped INT
    claim 'Ctrl-C ends a run with 130 and leaves nothing unfinished' \
        '[[ $status == 130 && ! -e long/tiny.mp4 && -z $(find long -name "*.part*") ]] &&
         said stopped'
    "$command" run tiny.json -q -o sequence --set outputs.film=false --set outputs.glb=false \
        --set duration=20 --set outputs.obj_sequence=true --set outputs.poster=false >out 2>err &
    local pid=$!
    until compgen -G 'sequence/tiny_obj*' >/dev/null || ! kill -0 "$pid" 2>/dev/null; do
        sleep 0.05
    done
    kill -TERM "$pid"
    wait "$pid"
    status=$?
    claim 'a sequence that is interrupted is not there at all' \
        '[[ $status == 143 && -z $(find sequence -name "tiny_obj*") ]] && said stopped'
    stopped TERM
    claim 'a polite kill ends it with 143, as tidily' \
        '[[ $status == 143 && ! -e long/tiny.mp4 && -z $(find long -name "*.part*") ]]'
}

is_film() { [[ $(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 "$1") == "$2" ]]; }

test_films() {
    call run tiny.json -q -o films --max-frames 3 --set outputs.webm=true \
        --set outputs.turntable=true --set camera.follow=ball --set camera.turn_time=2
    claim 'a run writes MP4, WebM and a turntable from one scene' \
        '[[ $status == 0 ]] && is_film films/tiny.mp4 h264 && is_film films/tiny.webm vp9 &&
         is_film films/tiny-turntable.mp4 h264'
    refused 1 "no body is called" run tiny.json --set camera.follow=nobody
}

test_wedges() {
    call run tiny.json -o fan --max-frames 3 --wedge material.yield=1e7,4e8 \
        --wedge bodies.ball.mass=20,50
    claim 'wedges run every combination of their values into one sheet and one film' \
        '[[ $status == 0 && -s fan/sheet.png ]] && is_film fan/sheet.mp4 h264 &&
         [[ $(find fan -name report.json | wc -l) == 4 ]] && printed "fan/yield=4e8 mass=20"'
    claim 'their variants differ' \
        '! cmp -s "fan/yield=1e7 mass=20/journal.json" "fan/yield=4e8 mass=20/journal.json"'
    claim 'and have no pictures of their own' '[[ -z $(find fan -name poster.png) ]]'
    refused 1 "names no field" run tiny.json --wedge material.yield
    refused 1 "empty value" run tiny.json --wedge material.yield=1,,2
    refused 1 "there is no 'nonesuch'" run tiny.json --wedge nonesuch=1,2
    refused 1 "more than 64" run tiny.json --wedge "bodies.ball.mass=$(seq -s, 1 65)"
    sed 's/-8/-3/' tiny.json >slow.json
    call compare tiny.json slow.json -o both --max-frames 3
    claim 'scenes are compared side by side' \
        '[[ $status == 0 && -s both/sheet.png && -d both/tiny && -d both/slow ]]'
    refused 1 "do not go side by side" compare tiny.json demo -o both
}

# runs_of FILE: how often the watched run has finished.
runs_of() { grep -c "^watching" "$1"; }
wait_for_runs() {
    local tries
    for ((tries = 0; tries < 600; ++tries)); do
        [[ $(runs_of err) -ge $1 ]] && return
        sleep 0.1
    done
}

test_watching() {
    refused 1 "only a scene file" run demo --watch
    cp tiny.json watched.json
    "$command" run watched.json --watch -o seen --max-frames 2 --set outputs.film=false \
        >out 2>err &
    local pid=$!
    wait_for_runs 1
    local first
    first=$(cksum <seen/journal.json)
    sed -i 's/-8/-2/' watched.json
    wait_for_runs 2
    status=0
    claim 'a watched scene runs again when its file changes' \
        '[[ $(runs_of err) == 2 && -s seen/report.json ]]'
    echo '{ "nonsense": 1 }' >watched.json
    wait_for_runs 3
    claim 'a mistake in it is told, and does not end the watch' \
        'said nonsense && kill -0 "$pid"'
    cp tiny.json watched.json
    wait_for_runs 4
    claim 'and once it is mended the run is the first one again' \
        '[[ $(cksum <seen/journal.json) == "$first" ]]'
    kill -TERM "$pid"
    wait "$pid"
    status=$?
    claim 'a signal ends the watch' '[[ $status == 143 ]]'
}

# What cannot be shown ends no work.
test_streams() {
    local quick=(--max-frames 2 --set outputs.film=false --set outputs.poster=false)
    if [[ -c /dev/full ]]; then
        "$command" run tiny.json -o unseen "${quick[@]}" >out 2>/dev/full
        status=$?
        claim 'a full disk behind stderr ends no run' '[[ $status == 0 && -s unseen/report.json ]]'
        "$command" run tiny.json -q -o unseen "${quick[@]}" --set duration=x >out 2>/dev/full
        status=$?
        claim 'and keeps the exit status of what went wrong' '[[ $status == 1 ]]'
        "$command" check tiny.json nonesuch.json >out 2>/dev/full
        status=$?
        claim 'nor does it end a check' '[[ $status == 1 ]] && printed "tiny.json: fine"'
        "$command" info 'meshes/a box.obj' meshes/broken.obj --no-collider >out 2>/dev/full
        status=$?
        claim 'nor an info' '[[ $status == 1 ]] && printed "a box.obj"'
        "$command" run tiny.json -o listed "${quick[@]}" >/dev/full 2>err
        status=$?
        claim 'a full disk behind stdout is told of once the work is done' \
            '[[ $status == 2 && -s listed/report.json ]] && said "standard output: cannot write"'
    fi
    "$command" run tiny.json -o closed-err "${quick[@]}" >out 2>&-
    status=$?
    claim 'a closed stderr gets into no file' \
        '[[ $status == 0 && -s closed-err/report.json ]] &&
         ! grep -rqaE "^(simulate|journal) " closed-err'
    "$command" run tiny.json -o closed-out "${quick[@]}" >&- 2>err
    status=$?
    claim 'a closed stdout is told of' '[[ $status == 2 && -s closed-out/report.json ]]'
    "$command" run tiny.json -o piped "${quick[@]}" 2>err | true
    status=${PIPESTATUS[0]}
    claim 'a reader that goes away ends no run' '[[ $status == 0 && -s piped/report.json ]]'
}

# stops_soon DELAY WORD...: Ctrl-C after DELAY seconds ends the command within a second and a half,
# the time that a busy machine may add included.
stops_soon() {
    /usr/bin/python3 - "$command" "$@" >out 2>err <<'END'
import signal, subprocess, sys, time
run = subprocess.Popen([sys.argv[1], *sys.argv[3:]],
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
try:
    sys.exit(f"ended by itself with {run.wait(float(sys.argv[2]))}")
except subprocess.TimeoutExpired:
    pass
begin = time.monotonic()
run.send_signal(signal.SIGINT)
try:
    code = run.wait(60)
except subprocess.TimeoutExpired:
    run.kill()
    sys.exit("did not end within a minute")
passed = time.monotonic() - begin
sys.exit(code if passed < 1.5 else f"took {passed} s")
END
    status=$?
}

# What has no effect says so, before anything is drawn.
test_nothing_silent() {
    refused 2 'do not overlap' press sphere box --soft-at 0,5,0 -o apart.png
    refused 1 'none are asked for' rig barrel --no-pictures --eye 1,2,3
    refused 1 'none is asked for' info 'meshes/a box.obj' --eye 1,2,3
    call press sphere box --soft-at 0,5,0 -o apart.obj
    claim 'a press of what does not overlap says so' \
        '[[ $status == 0 && -s apart.obj ]] && said "do not overlap"'
    call run tiny.json -o off --draft --set outputs.film=false --set outputs.poster=false \
        --set 'hits=[{"body":"drum","frame":1,"dent":{"position":[5,0,0],"direction":[0,0,-1],"depth":0.04}}]'
    claim 'a hit by hand that touches nothing says so' \
        '[[ $status == 0 ]] && said "1 incident was contained" && said "touches nothing"'
    call run tiny.json -q -o sized --draft --set outputs.film=false --set picture.width=96 \
        --set picture.height=64
    claim 'a draft keeps the size that was asked for' \
        '[[ $status == 0 && $(od -An -tu1 -j19 -N1 sized/poster.png) -eq 96 ]]'
    printf 'mtllib gone.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >bare.obj
    printf '{"duration":0.1,"bodies":{"a":{"mesh":"bare.obj","colours":[[0,0.3,0]]},"b":{"mesh":"bare.obj"}}}' >bare.json
    call run bare.json -o bare --max-frames 1 --set outputs.film=false --set outputs.poster=false
    claim 'what is wrong with a file is said once, however many bodies are made of it' \
        '[[ $status == 0 && $(grep -c "1 material that no library holds gets the default look" err) == 1 ]]'
    call run tiny.json -q -o later --draft --set outputs.poster_time=1000 --set outputs.film=false
    claim 'a poster after the end is the last frame' '[[ $status == 0 && -s later/report.json ]]'
}

# What would take minutes is refused before it begins, or ends when asked to.
test_costs() {
    cat >pipe.json <<'END'
{ "duration": 0.1, "bodies": { "pipe": { "position": [0, 9, 0], "solid": { "kind": "blend",
  "resolution": 0.007, "parts": [{ "from": [0, 0, 0], "to": [90, 0, 0], "radius": 0.25 }] } } } }
END
    refused 1 'm fits)' run pipe.json -q -o pipe
    refused 1 'm fits)' check pipe.json
    printf '#!/bin/sh\nprintf M\nexec cat /dev/zero\n' >endless.sh
    chmod 755 endless.sh
    echo x >any.fbx
    (
        ulimit -v 1500000
        DUCTILE_IMPORT=./endless.sh exec "$command" info any.fbx
    ) >out 2>err
    status=$?
    claim 'an importer that answers without end is cut short' \
        '[[ $status == 1 ]] && said "makes more of this file than is allowed"'
    stops_soon 1 run tiny.json -q -o stopped --set bodies.drum.solid.resolution=0.004
    claim 'Ctrl-C ends the cutting of a fine body' \
        '[[ $status == 130 && -z $(ls -A stopped) ]] && said stopped'
    stops_soon 1 run tiny.json -q -o stopped --set picture.width=4000 --set picture.height=4000 \
        --set picture.samples=64
    claim 'and the drawing of a large picture' \
        '[[ $status == 130 && -z $(find stopped -name "*.part*" -o -name poster.png) ]]'
    stops_soon 1 press sphere box --soft-at 0,0.8,0 --resolution 0.0025 -o stopped.obj
    claim 'and a press of a fine mesh' '[[ $status == 130 ]] && ! compgen -G "stopped*.obj"'
}

# A run has its folder to itself.
test_owner() {
    local long=(--set duration=20 --set outputs.film=false --set outputs.poster=false)
    "$command" run tiny.json -q -o owned "${long[@]}" --set outputs.obj_sequence=true >out 2>err &
    local pid=$!
    wait_until '[[ -s owned/.ductile.lock ]]'
    refused 2 "process $pid" run tiny.json -o owned --max-frames 2
    wait "$pid"
    status=$?
    claim 'the first run goes on, and leaves no lock' \
        '[[ $status == 0 && -s owned/report.json && ! -e owned/.ductile.lock ]]'
    "$command" run tiny.json -q -o owned "${long[@]}" >out 2>err &
    pid=$!
    wait_until '[[ -s owned/.ductile.lock ]]'
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    call run tiny.json -q -o owned --max-frames 2
    claim 'the lock of a killed run holds nobody up' \
        '[[ $status == 0 && ! -e owned/.ductile.lock ]]'
    "$command" run tiny.json -q -o taken-away "${long[@]}" >out 2>err &
    pid=$!
    wait_until '[[ -s taken-away/.ductile.lock ]]'
    rm -rf taken-away
    wait "$pid"
    status=$?
    claim 'a run whose folder is taken away says so' \
        '[[ $status == 2 ]] && said "taken-away: the folder was removed"'
    call run tiny.json -q -o mixed --max-frames 2
    "$command" run tiny.json -q -o mixed --set duration=20 >out 2>err &
    pid=$!
    wait_until 'compgen -G "mixed/tiny.*.part.mp4" >/dev/null'
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    claim 'beside files of a run that was cut short there is no report of an older one' \
        '[[ ! -e mixed/report.json && -s mixed/journal.json ]]'
    mkdir -p mixed/tiny_obj.replaced
    : >mixed/tiny_obj.replaced/tiny.0000.obj
    call run tiny.json -q -o mixed --max-frames 2
    claim 'a folder whose replacement was cut short is put back' \
        '[[ $status == 0 && -e mixed/tiny_obj/tiny.0000.obj && ! -e mixed/tiny_obj.replaced ]]'
}

# Rigs: a mesh gets handles, weights and poses.
test_rigs() {
    cat >post.json <<'END'
{ "solid": { "kind": "cylinder", "size": [0.3, 2, 0.3], "resolution": 0.1 }, "nodes": 300,
  "handles": { "foot": { "place": [0, -0.95, 0] }, "top": { "place": [0, 0.95, 0] } },
  "poses": { "bent": { "handles": { "top": { "move": [0.4, -0.1, 0] } } } } }
END
    local small=(--width 64 --height 48 --samples 1)
    call rig post.json "${small[@]}" -o rigged
    claim 'a rig is written with a GLB and pictures' \
        '[[ $status == 0 && -s rigged/post.rig.json && -s rigged/post.glb ]] &&
         [[ $(png_size rigged/post_handles.png) == "64 48" && -s rigged/post_lattice.png ]] &&
         [[ -s rigged/post_weights.png && -s rigged/post_overview.png ]] &&
         printed "2 handles" && printed "pose bent from handles"'
    call rig rigged/post.rig.json --no-pictures -q -o again
    claim 'what it wrote makes the same rig, and quietly' \
        '[[ $status == 0 && ! -s out && ! -s err ]] && cmp -s rigged/post.glb again/post.glb'
    call pose post.json "${small[@]}" --columns 2 -o poses.png
    claim 'poses are drawn side by side' '[[ $status == 0 && $(png_size poses.png) == 1* ]]'
    call rig 'meshes/a box.obj' --handles 8 --set nodes=200 --no-pictures -o boxed
    claim 'a mesh file gets handles' \
        '[[ $status == 0 ]] && printed "8 handles" && grep -q "a box.obj" "boxed/a box.rig.json"'
    call rig boxed/a\ box.rig.json --no-pictures -q -o boxed2
    claim 'and its rig finds it again' '[[ $status == 0 ]]'
    cat >skinned.json <<'END'
{ "mesh": "rigged/post.glb", "weights": "skin", "poses": { "bent": { "animation": "bent" } } }
END
    call rig skinned.json --no-pictures -o skinned
    claim 'a skin with its animations is a rig' '[[ $status == 0 ]] && printed "from animation"'
    call pose rigged/post.glb --skin "${small[@]}" -o skin.png
    claim 'a file with a skin needs no rig file' '[[ $status == 0 ]] && printed "pose bent from"'
    refused 1 'the mesh file has no skin' rig 'meshes/a box.obj' --skin -q -o skinned
    refused 1 "no animation 'bend'" rig skinned.json -q --set poses.bent.animation=bend -o skinned
    refused 1 'did you mean' rig barrell
    refused 1 'handle_count' rig post.json --set handle_cuont=3
    refused 1 'has no poses' pose 'meshes/a box.obj' -q --set nodes=200
    sed 's/"top": { "move"/"tip": { "move"/' post.json >wrong.json
    refused 1 "wrong.json#/poses/bent/handles/tip: there is no handle 'tip'" rig wrong.json
    refused 1 'the output is also an input' rig rigged/post.glb -o rigged
    refused 1 'the output is also an input' rig rigged/post.rig.json -o rigged
    refused 1 'names a vertex that does not exist' rig meshes/broken.obj -q
    call rig --help
    claim 'help tells the built-in rigs' '[[ $status == 0 ]] && printed "barrel"'
}

# What is read is never written over.
test_inputs() {
    local ball=(--rigid-size 3,1,3 --rigid-at 0,-0.5,0) before
    call press sphere box --soft-at 0,0.4,0 --resolution 0.2 "${ball[@]}" -q -o in.obj
    before=$(cksum <in.obj)
    ln -sf in.obj link.obj
    ln -sf in.obj link.png
    refused 1 'in.obj: the output is also an input' press in.obj box "${ball[@]}" -o in.obj
    refused 1 'link.obj: the output is also an input (in.obj)' press in.obj box -o link.obj
    refused 1 'in.obj: the output is also an input' press box ./in.obj -o in.obj
    refused 1 'in.obj: the output is also an input' press in.obj box --watch -o "$work/in.obj"
    refused 1 'the output is also an input' info in.obj --picture link.png
    mkdir -p folder
    cp in.obj folder/scene.glb
    cat >folder/scene.json <<'END'
{ "duration": 0.1, "bodies": { "box": { "mesh": "scene.glb", "layers": { "dent": {} } } } }
END
    refused 1 'folder/scene.glb: the output is also an input' run folder/scene.json -o folder
    cp folder/scene.json folder/report.json
    refused 1 'folder/report.json: the output' run folder/report.json -q -o folder
    call run folder/scene.json -q -o folder/out --set outputs.film=false --set outputs.poster=false
    claim 'a folder below is fine' '[[ $status == 0 && -s folder/out/scene.glb ]]'
    refused 1 'the output is also an input' replay folder/out/journal.json -o folder/scene.glb
    claim 'and the files are as they were' \
        '[[ $(cksum <in.obj) == "$before" && $(cksum <folder/scene.glb) == "$before" ]]'
    # In the background of a script SIGINT would be ignored from the start.
    cp in.obj changing.obj
    /usr/bin/python3 - "$command" >out 2>err <<'END'
import signal, subprocess, sys, threading, time
press = subprocess.Popen([sys.argv[1], "press", "changing.obj", "box", "--watch", "-o", "x.obj"],
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
is_done = False
def change():
    while not is_done:
        open("changing.obj", "a").write("# more\n")
        time.sleep(0.001)
writer = threading.Thread(target=change)
writer.start()
time.sleep(1.5)
begin = time.monotonic()
press.send_signal(signal.SIGINT)
try:
    code = press.wait(10)
except subprocess.TimeoutExpired:
    press.kill()
    code = 99
is_done = True
writer.join()
sys.exit(code % 256 if time.monotonic() - begin < 1.5 else 99)
END
    status=$?
    claim 'one Ctrl-C ends a watch of files that never stop changing' '[[ $status == 130 ]]'
}

test_validate() {
    call validate --tables "$here/../validation" --page page/truth.md
    claim 'docs/truth.md has a row for every number of the tables' \
        '[[ $status == 0 && $(wc -l <page/truth.md) == $(wc -l <"$here/../docs/truth.md") ]] &&
         printed "block: depth"'
    mkdir -p tables
    refused 1 'there is no such table' validate --tables tables
    cp "$here"/../validation/*.csv tables
    echo '1,2' >>tables/ball_on_block.csv
    refused 1 'has 2 cells, the first one 13' validate --tables tables
}

write_scene
write_mesh
all=(lists validate meshes run damage replay bad_input press player formats films wedges watching bad_places
    nothing_silent streams costs owner inputs rigs interruption)
(($# > 1)) || set -- "$command" "${all[@]}"
for name in "${@:2}"; do "test_$name"; done
printf '%s passed, %s failed\n' "$passed" "$failures"
((failures == 0))
