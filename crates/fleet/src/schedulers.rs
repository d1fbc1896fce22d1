//! What HyperQueue and Slurm need to run a plan.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use toml::Value;

use crate::manifest::write_whole;
use crate::{FleetError, Plan, Resources};

/// How many tasks one array of Slurm has, whose usual limit is 1,001 and where places are counted from 0.
const ARRAY: u64 = 1000;

/// How often a task is begun anew because its worker was lost.
const CRASHES: u32 = 100;

/// Writes the files of all schedulers into the plan's folder.
pub fn write(plan: &Plan) -> Result<(), FleetError> {
    let write = |name: &str, text: &str| write_whole(&plan.folder.join(name), text);
    write("job.toml", &hyperqueue(plan))?;
    write("slurm.sh", &slurm(plan))?;
    if plan.stages.len() > 1 {
        write("slurm-submit.sh", &slurm_stages(plan))?;
    }
    Ok(())
}

/// A job definition file of HyperQueue.
#[derive(Serialize)]
struct HqJob {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<HqTask>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    task: Vec<HqTask>,
}

#[derive(Clone, Serialize)]
struct HqTask {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ids: Option<String>,
    command: Vec<String>,
    cwd: String,
    stdout: String,
    stderr: String,
    crash_limit: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deps: Vec<u64>,
    request: Vec<HqRequest>,
}

#[derive(Clone, Serialize)]
struct HqRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    time_request: Option<String>,
    resources: toml::Table,
}

fn hyperqueue(plan: &Plan) -> String {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let task = HqTask {
        id: None,
        ids: None,
        command: vec![text(&plan.program), "fleet".into(), "run".into(), text(&plan.folder)],
        cwd: text(&plan.folder),
        stdout: "none".to_owned(),
        stderr: text(&plan.logs().join("%{TASK_ID}.txt")),
        crash_limit: CRASHES,
        deps: Vec::new(),
        request: vec![request(&plan.description.resources)],
    };
    let mut job = HqJob { name: plan.name.clone(), array: None, task: Vec::new() };
    if plan.stages.len() == 1 {
        let ids = format!("1-{}", plan.task_count());
        job.array = Some(HqTask { ids: Some(ids), ..task });
    } else {
        for (place, stage) in plan.stages.iter().enumerate() {
            let deps: Vec<u64> = stage
                .after
                .iter()
                .flat_map(|&before| {
                    let (first, last) = plan.numbers(before);
                    first..=last
                })
                .collect();
            let (first, last) = plan.numbers(place);
            let alike = |id| HqTask { id: Some(id), deps: deps.clone(), ..task.clone() };
            job.task.extend((first..=last).map(alike));
        }
    }
    let comment = "# For HyperQueue: hq job submit-file job.toml\n";
    comment.to_owned() + &toml::to_string(&job).expect("only plain fields")
}

fn request(resources: &Resources) -> HqRequest {
    let mut table = toml::Table::new();
    let mut ask = |name: &str, amount: u64| {
        if amount > 0 {
            table.insert(name.to_owned(), Value::Integer(amount as i64));
        }
    };
    ask("cpus", resources.cores.into());
    ask("mem", resources.memory);
    ask(&resources.gpu_kind, resources.gpus.into());
    let time_request = resources.time().map(|time| format!("{}s", time.as_secs()));
    HqRequest { time_request, resources: table }
}

/// A script for `sbatch`. Each place of its array does every so many tasks.
fn slurm(plan: &Plan) -> String {
    let resources = &plan.description.resources;
    let tasks = plan.task_count();
    let mut text = String::from("#!/bin/sh\n");
    let mut say = |option: String| {
        let _ = writeln!(text, "#SBATCH --{option}");
    };
    say(format!("job-name={}", plan.name));
    if plan.stages.len() == 1 {
        say(format!("array=1-{}", tasks.min(ARRAY)));
    }
    say("ntasks=1".to_owned());
    say(format!("cpus-per-task={}", resources.cores));
    if resources.memory > 0 {
        say(format!("mem={}M", resources.memory));
    }
    if resources.gpus > 0 {
        say(format!("gpus-per-task={}", resources.gpus));
    }
    if let Some(time) = resources.time() {
        say(format!("time={}", time.as_secs().div_ceil(60)));
    }
    say("requeue".to_owned());
    say("open-mode=append".to_owned());
    say(format!("output={}/%A-%a.txt", plan.logs().display()));
    let usage = if plan.stages.len() == 1 {
        "sbatch slurm.sh"
    } else {
        "sh slurm-submit.sh, which says which tasks are whose"
    };
    let _ = write!(
        text,
        "# For Slurm: {usage}\n\
         task=$((${{TANDEM_FIRST:-1}} + ${{SLURM_ARRAY_TASK_ID:-1}} - 1))\n\
         code=0\n\
         while [ \"$task\" -le \"${{TANDEM_LAST:-{tasks}}}\" ]; do\n    \
             {} fleet run {} --task \"$task\" || code=1\n    \
             task=$((task + ${{SLURM_ARRAY_TASK_COUNT:-1}}))\n\
         done\n\
         exit $code\n",
        quoted(&plan.program.to_string_lossy()),
        quoted(&plan.folder.to_string_lossy()),
    );
    text
}

/// A script that submits the stages, each after those that it needs.
fn slurm_stages(plan: &Plan) -> String {
    let mut text =
        "#!/bin/sh\n# For Slurm: sh slurm-submit.sh\nset -e\ncd \"$(dirname \"$0\")\"\n".to_owned();
    for (place, stage) in plan.stages.iter().enumerate() {
        let (first, last) = plan.numbers(place);
        let before: Vec<String> =
            stage.after.iter().map(|before| format!("$stage{before}")).collect();
        let after = match before.len() {
            0 => String::new(),
            _ => format!(" --dependency=afterok:{}", before.join(":")),
        };
        let array = stage.tasks.min(ARRAY);
        let _ = writeln!(
            text,
            "# {}\nstage{place}=$(sbatch --parsable --array=1-{array}{after} \
             --export=ALL,TANDEM_FIRST={first},TANDEM_LAST={last} slurm.sh)",
            stage.name
        );
    }
    text
}

/// A word as the shell takes it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use crate::Description;
    use crate::plan::{Kind, Stage};

    use super::*;

    fn plan(folder: &Path) -> Plan {
        let text = "job = 'selfplay'\nsize = 250000\nname = 'night'\n[resources]\ncores = 2\n\
            memory = 900\ngpus = 1\ntime = '2h'";
        let description = Description::parse(text).unwrap();
        Plan::make(&description, &folder.join("it's"), Path::new("/opt/tandem")).unwrap()
    }

    #[test]
    fn hyperqueue_is_told_tasks_and_resources() {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = plan(folder.path());
        let job: toml::Table = hyperqueue(&plan).parse().unwrap();
        let array = job["array"].as_table().unwrap();
        assert_eq!(array["ids"].as_str(), Some("1-2500"));
        assert_eq!(array["command"].as_array().unwrap()[1].as_str(), Some("fleet"));
        let request = &array["request"].as_array().unwrap()[0];
        assert_eq!(request["time_request"].as_str(), Some("7200s"));
        assert_eq!(request["resources"]["gpus/nvidia"].as_integer(), Some(1));
        assert_eq!(request["resources"]["cpus"].as_integer(), Some(2));

        let stage = |tasks, after| {
            let name = "x".to_owned();
            Stage { name, kind: Kind::Shards, tasks, games: 0, after }
        };
        plan.stages = vec![stage(2, vec![]), stage(1, vec![0]), stage(2, vec![0, 1])];
        let job: toml::Table = hyperqueue(&plan).parse().unwrap();
        let tasks = job["task"].as_array().unwrap();
        let deps =
            tasks.iter().map(|task| task.get("deps").map_or(0, |d| d.as_array().unwrap().len()));
        assert_eq!(deps.collect::<Vec<_>>(), [0, 0, 2, 3, 3]);
        assert_eq!(tasks[4]["id"].as_integer(), Some(5));
        let submit = slurm_stages(&plan);
        assert!(submit.contains("--array=1-2 --dependency=afterok:$stage0:$stage1"), "{submit}");
        assert!(submit.contains("TANDEM_FIRST=4,TANDEM_LAST=5"), "{submit}");
    }

    #[cfg(unix)]
    #[test]
    fn slurm_does_every_task_once_though_its_arrays_are_short() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path());
        let script = slurm(&plan);
        for line in
            ["--array=1-1000", "--cpus-per-task=2", "--mem=900M", "--gpus-per-task=1", "--time=120"]
        {
            assert!(script.contains(line), "{line}: {script}");
        }
        // The shell itself says which tasks it does.
        let said = script.replace("'/opt/tandem' fleet run", "echo");
        let mut tasks = Vec::new();
        for place in [1, 7, 500, 501, 1000] {
            let out = std::process::Command::new("sh")
                .args(["-c", &said])
                .env("SLURM_ARRAY_TASK_ID", place.to_string())
                .env("SLURM_ARRAY_TASK_COUNT", "1000")
                .output()
                .unwrap();
            let text = String::from_utf8(out.stdout).unwrap();
            assert!(text.lines().all(|line| line.contains("it's --task ")), "{text}");
            tasks.push(text.lines().count());
        }
        assert_eq!(tasks, [3, 3, 3, 2, 2]);
    }
}
