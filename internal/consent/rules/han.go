package rules

import "strings"

// traditional holds letters of the Chinese lexicon as they are written on the
// mainland, each before the form used in Taiwan and Hong Kong. The lexicon is
// written in the first and learnt in both.
const traditional = "万萬与與东東两兩个個为為么麼义義亲親仅僅从從们們优優会會体體倾傾儿兒关關写寫决決况況凑湊几幾击擊划劃刚剛创創删刪别別务務动動办辦" +
	"厉厲发發变變号號后後吗嗎听聽呗唄启啟喽嘍团團块塊坚堅备備复復头頭宁寧实實审審对對导導将將尽盡帮幫干幹并並应應废廢开開异異弃棄当當愿願戏戲执執担擔" +
	"换換据據断斷无無时時显顯暂暫权權条條来來极極查查标標检檢样樣档檔梦夢欢歡欧歐气氣没沒滚滾满滿点點灯燈烦煩爱愛犹猶状狀现現盘盤确確称稱稳穩签簽紧緊纠糾细細" +
	"终終绍紹经經结結给給绝絕统統继繼续續绿綠缓緩缩縮胆膽舍捨虑慮补補见見觉覺计計认認讨討让讓议議许許论論设設诉訴译譯试試话話该該详詳误誤说說请請读讀" +
	"谁誰调調谈談谓謂谢謝谱譜赞贊赶趕车車较較边邊过過运運还還这這进進迟遲适適邮郵释釋里裡钟鐘钮鈕钱錢铁鐵销銷错錯长長门門问問间間队隊阵陣随隨难難项項" +
	"顺順须須预預领領题題额額马馬驳駁骤驟鸭鴨撸擼丢丟于於"

// otherwise holds letters that have a second traditional form: 計劃 and 計畫.
const otherwise = "劃畫贊讚着著"

// hanForms gives a function that spells a phrase in every form.
func hanForms() func(string) []string {
	first, second := replacer(traditional), replacer(otherwise)
	return func(phrase string) []string {
		out := []string{phrase}
		for _, r := range []*strings.Replacer{first, second} {
			if next := r.Replace(out[len(out)-1]); next != out[len(out)-1] {
				out = append(out, next)
			}
		}
		return out
	}
}

// replacer replaces each first letter of the pairs by its second.
func replacer(pairs string) *strings.Replacer {
	return strings.NewReplacer(strings.Split(pairs, "")...)
}
